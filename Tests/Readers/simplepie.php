<?php
// Prints what SimplePie reads at each address named on standard input: a line of JSON, a list of items or null.
error_reporting(E_ERROR);
require_once 'simplepie/autoloader.php';

while (($address = fgets(STDIN)) !== false) {
    $feed = new SimplePie();
    $feed->enable_cache(false);
    $feed->enable_order_by_date(false);
    $feed->set_autodiscovery_level(SIMPLEPIE_LOCATOR_NONE);
    $feed->set_feed_url(trim($address));
    $items = null;
    try {
        if ($feed->init()) {
            $items = [];
            foreach ($feed->get_items() as $item) {
                $date = $item->get_date('U');
                $items[] = [
                    'id' => $item->get_id(), 'title' => $item->get_title(), 'link' => $item->get_permalink(),
                    'date' => $date === null ? null : (int) $date,
                ];
            }
        }
    } catch (Error) {
        $items = null; // It was written for PHP 5: some documents are too much for it today.
    }
    echo json_encode($items, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
