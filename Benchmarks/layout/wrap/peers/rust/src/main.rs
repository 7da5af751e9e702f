//! Wraps with unicode-linebreak and unicode-width, greedily, opportunity by opportunity.

use std::io::{BufRead, Write};
use unicode_linebreak::{linebreaks, BreakOpportunity};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

fn wrap(text: &str, width: usize, ends: &mut Vec<u32>) {
    let (mut column, mut from) = (0, 0);
    for (to, opportunity) in linebreaks(text) {
        let piece = &text[from..to];
        let visible = piece.trim_end_matches([' ', '\n']);
        let cells = visible.width();
        if column > 0 && column + cells > width {
            ends.push(from as u32);
            column = 0;
        }
        if cells > width {
            for (offset, character) in visible.char_indices() {
                let cells = character.width().unwrap_or(0);
                if column + cells > width {
                    ends.push((from + offset) as u32);
                    column = 0;
                }
                column += cells;
            }
        } else {
            column += cells;
        }
        column += piece.len() - visible.len();
        if opportunity == BreakOpportunity::Mandatory && to < text.len() {
            ends.push(to as u32);
            column = 0;
        }
        from = to;
    }
    ends.push(text.len() as u32);
}

/// CPU time of this process so far.
fn cpu_nanoseconds() -> i64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const PROCESS_CPU_TIME: i32 = 2;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(PROCESS_CPU_TIME, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

fn main() {
    let content = std::fs::read(std::env::args().nth(1).expect("a corpus")).expect("a corpus");
    let number = |index: usize| u32::from_le_bytes(content[4 * index..4 * index + 4].try_into().unwrap()) as usize;
    let texts = &content[4 * (number(0) + 2)..];
    let posts: Vec<&str> =
        (1..=number(0)).map(|index| std::str::from_utf8(&texts[number(index)..number(index + 1)]).unwrap()).collect();
    let mut ends = Vec::with_capacity(65_536);
    for line in std::io::stdin().lock().lines() {
        let width = line.unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut lines = 0;
        let began = cpu_nanoseconds();
        for post in &posts {
            ends.clear();
            wrap(post, width, &mut ends);
            lines += ends.len();
        }
        println!("{} {}", cpu_nanoseconds() - began, lines);
        std::io::stdout().flush().unwrap();
    }
}
