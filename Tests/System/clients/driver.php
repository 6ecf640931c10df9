<?php

// Does what its arguments say with Clients/php: see Tests/System/dialects/test_server_api.py.
require __DIR__ . '/../../../Clients/php/Benji.php';

[, $order] = $argv;
$words = array_slice($argv, 2);
try {
    if ($order === 'event') {
        [$secrets, $headers, $body, $now] = $words;
        $event = Benji\readEvent(explode(' ', $secrets), json_decode($headers, true), $body, (int) $now);
        echo "ok {$event['id']} {$event['type']}\n";
    } else {
        [$url, $app, $secret] = $words;
        $server = new Benji\Server($url, $app, $secret);
        if ($order === 'redeem') {
            $login = $server->redeem($words[3], $words[4]);
            echo "ok {$login['number']} {$login['account']} {$login['assurance']} {$login['method']} {$login['trace']}\n";
        } elseif ($order === 'verify') {
            echo 'ok ', json_encode($server->verify($words[3], $words[4])), "\n";
        } else {
            echo "ok {$server->app()['id']}\n";
        }
    }
} catch (Benji\Failure $failure) {
    echo "failure $failure->error $failure->status ", $failure->param ?? '-', "\n";
} catch (Benji\NotOurs) {
    echo "not ours\n";
}
