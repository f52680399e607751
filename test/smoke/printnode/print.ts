/**
 * Prints by npm `printnode-client`. Arguments: address, key, folder of the library. Writes what it received as JSON.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [url = '', key = '', folder = ''] = process.argv.slice(2)
const Client = createRequire(join(folder, 'package.json'))('printnode-client')

function connect(apiKey: string) {
  const client = new Client({ api_key: apiKey })
  client.base_url = `${url.replace('://', `://${apiKey}:@`)}/`
  return client
}

const client = connect(key)
const [printer] = await client.fetchPrinters()
const print = (title: string, contentType: string, content: string) =>
  client.createPrintJob({ printer: printer.id, title, contentType, content, source: 'shop' })
await print('Größe für Zoë: 5 €', 'pdf_base64', 'JVBERi0xLjcK')
const raw = await print('Label', 'raw_base64', 'XlhBXlha')
// The library has no call for these, but its programs use its way to send requests.
const cancelled = await client._makeRequest(`printjobs/${raw}`, { method: 'DELETE' })
const states: { state: string }[][] = await client._getJSON('printjobs/1,2/states')
const jobs: { id: number; title: string; contentType: string; state: string }[] = await client.fetchPrintJobs()
const computers: { id: number }[] = await client.fetchComputers()
const wrong: Error = await connect('wrong')
  .whoami()
  .catch((error: Error) => error)
process.stdout.write(
  JSON.stringify({
    account: (await client.whoami()).state,
    computers: computers.map(({ id }) => id),
    printer: [printer.id, printer.computer.id],
    jobs: jobs.map(({ id, title, contentType, state }) => [id, title, contentType, state]),
    states: states.map((one) => one.map(({ state }) => state)),
    cancelled,
    wrong: wrong.message,
  }),
)
