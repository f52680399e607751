/**
 * `npm run test:platform`: installs the package of this platform with the command of the page "Add a computer", and
 * prints a PDF on a printer that writes a file: a queue of CUPS, or Microsoft Print to PDF. Then the system adds that
 * printer by IPP, and prints a page on it. Changes the machine, so it is for machines of CI. On Linux the computer is a
 * container with a fresh Debian. Writes `dist/platform-NAME.json`, which docs/agent-platforms.md quotes. Exits with 1
 * after a failure.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { administer } from '@platen/deploy/commands/admin/administer.ts'
import { createApi } from '../../../../test/harness/api.ts'
import { createBrowser } from '../../../../test/harness/browser.ts'
import { makePdf } from '../../../../test/harness/pdf.ts'
import { removeDataDir, startPlaten } from '../../../../test/harness/platen.ts'
import { waitFor } from '../../../../test/harness/wait-for.ts'
import { outputDir, root } from '../../paths.ts'
import { run } from '../../run.ts'
import { getTarget } from '../../targets.ts'
import { version } from '../../version.ts'
import { openComputer } from './computers.ts'

const TIMEOUT_MS = 300_000
const OWNER = 'owner@example.com'
const PDF = makePdf('Printed on a real platform')

const target = getTarget(process.platform, process.arch)
if (!existsSync(join(outputDir, 'SHA256SUMS')))
  console.log(await run(process.execPath, [join(root, 'agent/packages/package-agent.ts'), '--target', target.name]))
const platen = await startPlaten({ env: { PLATEN_IPP: 'on' } })
const computer = await openComputer()
try {
  const facts = await testPrint()
  const result = { date: new Date().toISOString(), platform: target.name, release: release(), version, ...facts }
  await writeFile(join(root, `dist/platform-${target.name}.json`), `${JSON.stringify(result, undefined, 2)}\n`)
  console.log(result)
} finally {
  await computer.close()
  await platen.stop()
  await removeDataDir(platen.dataDir)
}

async function testPrint() {
  const { baseUrl, adminKey } = platen.credentials
  const api = createApi(baseUrl, adminKey)
  await computer.addPrinter()
  const { token } = (await api.post('/v1/enrollments', {})).body
  const shown = await computer.install(baseUrl, token)
  const { name, capabilities, id } = await waitFor(async () => {
    const { data } = (await api.get('/v1/printers')).body
    const found = data.find((printer: { name: string }) => printer.name === computer.printer)
    return found ?? Promise.reject(new Error(`the agent does not report ${computer.printer}:\n${shown}`))
  }, TIMEOUT_MS)
  const content = PDF.toString('base64')
  const job = await api.createJob({ printerId: id, title: 'Platform', contentType: 'pdf_base64', content })
  const { state, stateReasons } = await api.waitUntilFinal(job.id, TIMEOUT_MS)
  if (state !== 'done') throw new Error(`the job ended in ${state}: ${stateReasons.join()}`)
  const paper = await waitFor(async () => {
    const bytes = await computer.readPaper()
    return bytes.toString('latin1').startsWith('%PDF-') ? bytes : Promise.reject(new Error('no PDF on paper'))
  }, TIMEOUT_MS)
  const [{ agentVersion, os, osVersion, arch }] = (await api.get('/v1/computers')).body.data
  const ipp = await testIpp(id)
  return { agentVersion, os, osVersion, arch, printer: name, capabilities, state, paperBytes: paper.length, ipp }
}

async function testIpp(printerId: string) {
  const { baseUrl, adminKey } = platen.credentials
  const api = createApi(baseUrl, adminKey)
  const { number } = (await api.patch(`/v1/printers/${printerId}`, { shared: true })).body
  await permitComputers((await api.get('/v1/whoami')).body.organization.id)
  const { secret } = (await api.post('/v1/print-access', { name: 'This computer' })).body
  await computer.printByIpp(`${new URL(baseUrl).host}/ipp/print/${number}/${secret}`, PDF)
  const { id, contentType, fileSize } = await waitFor(async () => {
    const { data } = (await api.get('/v1/printjobs')).body
    const found = data.find(({ source }: { source: string }) => source === 'ipp')
    return found ?? Promise.reject(new Error('the system has printed nothing by IPP'))
  }, TIMEOUT_MS)
  const { state, stateReasons } = await api.waitUntilFinal(id, TIMEOUT_MS)
  if (state !== 'done') throw new Error(`the job of IPP ended in ${state}: ${stateReasons.join()}`)
  return { state, contentType, fileSize }
}

/** Only an owner can. */
async function permitComputers(organizationId: string): Promise<void> {
  const admin = (...args: string[]) => administer(args, { PLATEN_DATA_DIR: platen.dataDir })
  await admin('users', 'add', '--org', organizationId, '--email', OWNER, '--role', 'owner')
  const { code } = (await admin('users', 'sign-in-code', OWNER)) as { code: string }
  const browser = createBrowser(platen.credentials.baseUrl)
  await browser.post('/account/sign-in/code', { code })
  const changed = await browser.request('PATCH', '/account/organization', { body: { allowsPrintAccess: true } })
  if (changed.status !== 200) throw new Error(`the switch was answered ${changed.status}`)
}
