/**
 * `npm run test:long -- install`: installs the agent in a fresh Debian with systemd as the page "Add a computer" says,
 * and prints its test page on CUPS there. Everything is what a new owner does: the sign-in code from the terminal,
 * clicks, the shown command, the shown token. `-- --architecture arm64` emulates another processor. As root on Debian,
 * with Chromium. Exits with 1 after a failure.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatPackageName } from '@platen/proto/agent-packages.ts'
import type { Page } from 'playwright-core'
import { launchChromium } from '../../../../services/dashboard/tests/chromium.ts'
import { type Platen, removeDataDir, startPlaten } from '../../../../test/harness/platen.ts'
import { waitFor } from '../../../../test/harness/wait-for.ts'
import { outputDir } from '../../paths.ts'
import { run } from '../../run.ts'
import { version } from '../../version.ts'
import { type Debian, type DebianArchitecture, PAPER, startDebian } from './debian.ts'

/** An emulated processor is ten times as slow. */
const STEP_TIMEOUT_MS = 300_000

const { values: options } = parseArgs({ options: { architecture: { type: 'string', default: 'amd64' } } })
const architecture = options.architecture as DebianArchitecture
const target = architecture === 'arm64' ? 'linux-arm64' : 'linux-x64'

const started = performance.now()
function report(step: string): void {
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${step}`)
}

if (!existsSync(join(outputDir, formatPackageName(version, target, 'deb'))))
  console.log(await run('npm', ['run', '-s', 'package:agent', '--', '--target', target]))
const platen = await startPlaten()
report('Platen runs')
const debian = await startDebian(architecture)
report(`a fresh Debian (${architecture}) with systemd and CUPS runs`)
const browser = await launchChromium()
try {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  await signIn(page, platen)
  report('signed in with the code of the terminal')
  await addComputer(page, debian)
} finally {
  await browser.close()
  await debian.stop()
  await platen.stop()
  await removeDataDir(platen.dataDir)
}

async function signIn(page: Page, { credentials, output }: Platen): Promise<void> {
  const [, address = ''] = /^Sign in as (\S+?)[ .]/m.exec(output()) ?? []
  await page.goto(`${credentials.baseUrl}/app`)
  await page.getByLabel('Email').fill(address)
  await page.getByRole('button', { name: 'Send a code' }).click()
  await page.getByText('its code is in the terminal of npm start').waitFor()
  const code = await waitFor(() => {
    const [, found] = /^Sign-in code for \S+: (\S+)$/m.exec(output()) ?? []
    return found ?? Promise.reject(new Error('no code in the terminal'))
  }, STEP_TIMEOUT_MS)
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function addComputer(page: Page, debian: Debian): Promise<void> {
  await page.waitForURL(/\/app\/(live|test)/)
  await page.goto(`${platen.credentials.baseUrl}/app/live/computers`)
  await page.getByRole('link', { name: 'Add a computer' }).click()
  await page.getByRole('radio', { name: 'Linux' }).check()
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByText('Token', { exact: true }).waitFor()
  const [command = '', token = ''] = await page.locator('pre').allTextContents()
  report(`the page shows: ${command}`)
  const shown = await debian.type(command, 'Enrolment token', token)
  // Only the last of the texts that overwrite each other on a line.
  for (const line of shown.split(/\r?\n/))
    console.log(`           | ${line.split('\r').findLast((text) => text !== '') ?? ''}`)
  if (shown.includes(token)) throw new Error('the terminal shows the token')
  report('the command has ended')

  const step = (name: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`${name}: done`) })
  for (const name of ['Enrolled', 'Online', 'Printers found']) await step(name).waitFor()
  report('three ticks, without a reload')
  const last = page.getByRole('listitem').filter({ hasText: /Test page printed:/ })
  // A document that the raw queue cannot take is not what the page offers, but an owner can choose it.
  await last.getByRole('radio', { name: 'Labels' }).check()
  await last.getByLabel('Document').selectOption('pdf')
  await last.getByRole('button', { name: 'Print a test page' }).click()
  await last.getByText('Choose another printer or document, and print it again.').waitFor()
  report(`a PDF on the raw queue: "${await last.locator('p.font-medium').last().textContent()}", with the choice again`)
  await last.getByRole('radio', { name: 'Office' }).check()
  await last.getByRole('button', { name: 'Print it again' }).click()
  await step('Test page printed').waitFor()
  const paper = await debian.read(PAPER.office)
  if (!paper.toString('latin1').startsWith('%PDF-')) throw new Error('nothing was printed on Office')
  if ((await debian.read(PAPER.labels)).length > 0) throw new Error('the raw queue has printed a PDF')
  report(`the test page is printed: ${paper.length} bytes of PDF on Office`)

  const user = await debian.run('ps -o user= -p $(systemctl show --property MainPID --value platen-agent)')
  if (!user.startsWith('platen')) throw new Error(`the service runs as ${user}`)
  if (!(await debian.run('systemctl is-enabled platen-agent')).includes('enabled')) throw new Error('not enabled')
  report('the service is enabled and runs as its own user')
}
