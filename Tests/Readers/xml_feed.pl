# Prints what XML::Feed reads from each file named on standard input: a line of JSON, a list of items or null.
use strict;
use warnings;
use JSON::PP;
use XML::Feed;

my $json = JSON::PP->new->utf8->allow_nonref;

# Returns a fact as text; nothing if the feed has none or the reader dies of it.
sub fact {
  my ($entry, $name) = @_;
  my $value = eval { $entry->$name };
  return defined $value ? "$value" : undef;
}

sub item {
  my ($entry) = @_;
  my $date = eval { $entry->issued } || eval { $entry->modified };
  return {
    id => fact($entry, 'id'), title => fact($entry, 'title'), link => fact($entry, 'link'),
    date => $date ? $date->epoch + 0 : undef,
  };
}

while (my $path = <STDIN>) {
  chomp $path;
  my $feed = eval { XML::Feed->parse($path) };
  my $items = $feed ? eval { [map { item($_) } $feed->entries] } : undef;
  print $json->encode($items), "\n";
}
