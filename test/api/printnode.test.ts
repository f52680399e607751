/** Pages through the interface for programs that speak to PrintNode, printed by an agent on a real CUPS. */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../cups/build-pdf.ts'
import { programPath, whyNoCups } from '../cups/find-cups.ts'
import { drawPages } from '../cups/odd-pdfs.ts'
import { QUEUES, startCups, startCupsServer } from '../cups/start-cups.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { useCupsAgent } from './cups-agent.ts'
import { installation, newOrganization } from './installation.ts'

const { baseUrl } = installation.credentials
const PRINT_TIMEOUT_MS = 60_000
/** The folder of docs/printnode.md#tests. */
const CLIENTS = process.env.PLATEN_PRINTNODE_CLIENTS ?? ''
const BACKEND = join(CLIENTS, 'cups/printnode')
const NO_CUPS = await whyNoCups()

async function startPrinting() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-printnode-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [cups, organization] = await Promise.all([startCups(), newOrganization()])
  onTestFinished(cups.stop)
  await useCupsAgent(organization, directory, cups)
  const { api, addKey } = organization
  const { key } = (await addKey('live', 'read,print')).api
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
  // biome-ignore lint/suspicious/noExplicitAny: any response body
  const send = async (path: string, body?: object): Promise<any> => {
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return await (await fetch(`${baseUrl}${path}`, init)).json()
  }
  const printer = await waitFor(async () => (await send('/printers')).find(isLaser) ?? expect.fail('no printer'))
  return { directory, cups, api, key, send, printer }
}

const isLaser = ({ name }: { name: string }) => name === QUEUES.laser

test.skipIf(NO_CUPS)(
  'a page printed through the interface is the page that `/v1` prints, and has an explanation',
  async () => {
    proves('printnode.printed')
    const { cups, api, send, printer } = await startPrinting()
    const native = (await api.get('/v1/printers')).body.data.find(isLaser)
    const job = {
      title: 'Delivery note',
      contentType: 'pdf_base64',
      content: buildPdf({ pages: 2, width: 420, height: 595 }).toString('base64'),
      options: { fit_to_page: true, pages: '1-2' },
    }
    const number = await send('/printjobs', { ...job, printer: printer.id, source: 'shop' })
    const { body: other } = await api.post('/v1/printjobs', { ...job, printerId: native.id })
    await waitFor(async () => {
      expect(await send('/printjobs')).toMatchObject([{ state: 'done' }, { id: number, state: 'done' }])
      expect(cups.laser.printed()).toHaveLength(2)
    }, PRINT_TIMEOUT_MS)

    const pages = await Promise.all(cups.laser.printed().map(({ file }) => drawPages(file)))
    expect(pages[0]).toHaveLength(2)
    expect(pages[0]).toEqual(pages[1])
    expect(await send(`/printjobs/${number}/states`)).toMatchObject([
      [{ state: 'new' }, { state: 'sent_to_client' }, { state: 'done' }],
    ])
    const [shown] = (await api.get(`/v1/printjobs?number=${number}`)).body.data
    const explain = async (jobId: string) => (await api.get(`/v1/printjobs/${jobId}/explanation`)).body
    const explanations = await Promise.all([shown.id, other.id].map(explain))
    for (const { headline, paper } of explanations) expect([headline, paper]).toEqual(['Printed', 'printed'])
    const interfaces = explanations.map(({ facts }) =>
      facts.filter(({ name }: { name: string }) => name === 'interface'),
    )
    expect(interfaces).toEqual([[{ name: 'interface', value: 'PrintNode', ref: null }], []])
  },
)

test.skipIf(NO_CUPS || !existsSync(BACKEND))(
  'the backend CUPS-PrintNode prints from a queue of one CUPS to the printer of another',
  async () => {
    const { directory, cups, key, send, printer } = await startPrinting()
    const source = await startCupsServer()
    onTestFinished(source.stop)
    await source.shutDown()
    // The backend with another address. Its files are in the directory of the test.
    const configuration = join(source.directory, 'printNode.yml')
    writeFileSync(configuration, `- API_Key: ${key}\n  Printers: '${printer.id}'\n`)
    const backend = readFileSync(BACKEND, 'utf8')
      .replaceAll('https://api.printnode.com', baseUrl)
      .replace('/etc/cups/printNode.yml', configuration)
      .replace('/var/log/cups/printnode_log', join(source.directory, 'log/printnode_log'))
      .replace(/^import base64$/m, `import sys; sys.path.insert(0, '${join(CLIENTS, 'python')}')\n$&`)
    const programs = linkPrograms(join(directory, 'bin'))
    writeFileSync(join(programs, 'backend/printnode'), backend, { mode: 0o700 })
    appendFileSync(join(source.directory, 'etc/cups-files.conf'), `ServerBin ${programs}\n`)
    await source.start()
    const driver = join(CLIENTS, 'cups/printnode.ppd')
    await source.run('lpadmin', '-p', 'Cloud', '-E', '-v', `printnode://${printer.id}`, '-P', driver)

    const file = join(directory, 'page.pdf')
    writeFileSync(file, buildPdf({ pages: 2 }))
    const env = { ...process.env, CUPS_SERVER: source.socketPath }
    await promisify(execFile)(programPath('lp'), ['-d', 'Cloud', file], { env })
    await waitFor(async () => {
      expect(await send('/printjobs')).toMatchObject([{ state: 'done', source: 'PythonApiClient' }])
      expect(cups.laser.printed()).toHaveLength(1)
    }, PRINT_TIMEOUT_MS)
    const [printed] = await Promise.all(cups.laser.printed().map((one) => drawPages(one.file)))
    const sent = await drawPages(file)
    expect(printed).toHaveLength(sent.length)
    for (const [n, { ink = [] }] of sent.entries())
      for (const [edge, position] of ink.entries()) expect(printed?.[n]?.ink?.[edge]).toBeCloseTo(position, -1)
  },
)

/** Links to the programs of CUPS, so that a backend can be added. @returns the folder, for `ServerBin`. */
function linkPrograms(folder: string): string {
  const backends = dirname(programPath('socket'))
  mkdirSync(join(folder, 'backend'), { recursive: true })
  for (const name of readdirSync(backends)) symlinkSync(join(backends, name), join(folder, 'backend', name))
  for (const name of readdirSync(dirname(backends)).filter((one) => one !== 'backend'))
    symlinkSync(join(backends, '..', name), join(folder, name))
  return folder
}
