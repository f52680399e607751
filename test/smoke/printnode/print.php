<?php
// Prints by the official PHP library. Arguments: address, key, folder of the library. Writes what it received as JSON.
[, $url, $key, $folder] = $argv;
require "$folder/src/PrintNode/Bootstrap.php";
set_error_handler(function ($level, $message, $file, $line) {
    if ($level !== E_DEPRECATED) throw new ErrorException($message, 0, $level, $file, $line);
});

function connect($url, $key)
{
    $client = new PrintNode\Client(new PrintNode\Credentials\ApiKey($key));
    $client->apiHost = str_replace('https://', '', $url);
    return $client;
}

function print_file($client, $printer, $title, $type, $content)
{
    $job = new PrintNode\Entity\PrintJob($client);
    $job->printer = $printer->id;
    $job->title = $title;
    $job->contentType = $type;
    $job->content = base64_encode($content);
    $job->source = 'shop';
    $job->options = ['copies' => 1];
    return $client->createPrintJob($job);
}

$client = connect($url, $key);
$printer = array_values($client->viewPrinters())[0];
print_file($client, $printer, 'Größe für Zoë: 5 €', 'pdf_base64', "%PDF-1.7\n");
$raw = print_file($client, $printer, 'Label', 'raw_base64', '^XA^XZ');
$cancelled = $client->makeRequest("printjobs/$raw", 'DELETE')->bodyJson;
try {
    connect($url, 'wrong')->viewWhoAmI();
    $wrong = 'accepted';
} catch (PrintNode\Exception\HTTPException $error) {
    $wrong = $error->getMessage();
}
$client->viewScales($printer->computer->id);
echo json_encode([
    'account' => $client->viewWhoAmI()->state,
    'computers' => array_keys($client->viewComputers()),
    'printer' => [$printer->id, $printer->computer->id],
    'jobs' => array_map(fn($job) => [$job->id, $job->title, $job->contentType, $job->state],
        array_values($client->viewPrintJobs())),
    'states' => array_map(fn($states) => array_column(json_decode(json_encode($states), true), 'state'),
        array_values($client->viewPrintJobState(null, null, null, '1,2'))),
    'cancelled' => $cancelled,
    'wrong' => $wrong,
]);
