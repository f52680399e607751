/**
 * `npm run test:long -- certification`: the self-certification of IPP Everywhere 1.1 of the PWG (5100.20), sections 6
 * and 7, against a printer of an installation. Exits with 1 if a test that is not listed here does not pass, or a
 * listed one does. Needs the packages of tests on CUPS.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programPath, whyNoCups } from '../cups/find-cups.ts'
import { type Checks, createChecks } from '../harness/checks.ts'
import { openIppPrinters } from '../harness/ipp-printers.ts'
import { startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { withScratch } from '../tools/scratch.ts'
import { openSuites, type Suite } from './suite.ts'

/** Seconds without an answer. */
const TIMEOUT = '120'

/** Tests that wait for a job have the name of the one that printed it. */
const WAIT = ': wait for job to complete'

/** The number of tests of each suite: one that ends early fails. */
const TESTS: Record<Suite, number> = { 'ipp-tests': 41, 'document-tests': 53 }

const BY_HAND = 'a person takes the paper out. The suite skips it for printers that are servers'
const NO_BLACK = 'pages of pixels are offered in grey and sRGB. The suite skips other color spaces'

/** The tests that do not pass, and why: docs/reference/ipp.md. One that passes must leave the list. */
const NOT_PASSED: Record<Suite, Record<string, string>> = {
  'ipp-tests': {
    'I-20. media-needed (media-needed Test onepage)': BY_HAND,
    'I-20.1 media-needed (Get-Printer-Attributes)': BY_HAND,
  },
  'document-tests': Object.fromEntries(
    ['black_1', 'cmyk_8'].flatMap((space) =>
      [
        '1 Print PWG @ maximum resolution (SPACE, no compression)',
        '2 Print PWG @ maximum resolution (SPACE, deflate)',
        '3 Print PWG @ maximum resolution (SPACE, gzip)',
      ].flatMap((title) => {
        const print = `D-1.${title.replace('SPACE', space)}`
        return [print, `${print}${WAIT}`].map((name) => [name, NO_BLACK])
      }),
    ),
  ),
}

interface Result {
  name: string
  result: string
  /** What was expected. */
  details: string
}

async function main(checks: Checks): Promise<void> {
  await using started = new AsyncDisposableStack()
  checks.progress('starting the services')
  const system = await startSystem({ together: true, testComputers: true, env: { PLATEN_IPP: 'on' } })
  started.defer(() => system.stop())
  const organizationId = await system.createOrganization()
  const { api, share, addAccess } = await openIppPrinters(system, organizationId, 'test')
  const printer = await waitFor(async () => {
    const { data } = (await api.get('/v1/printers')).body
    const found = data.find((one: { capabilities: { duplex: boolean } }) => one.capabilities.duplex)
    return found ?? Promise.reject(new Error('no printer'))
  })
  const path = `/ipp/print/${await share(printer.id)}/${(await addAccess()).secret}`
  const address = `${system.baseUrl.replace('http', 'ipp')}${path}`
  await withScratch(async (scratch) => {
    const folder = await openSuites(scratch)
    for (const suite of Object.keys(TESTS) as Suite[]) report(checks, suite, await runSuite(suite, folder, address))
  })
}

async function runSuite(suite: Suite, folder: string, address: string): Promise<Result[]> {
  const args = ['-tI', '-T', TIMEOUT, address, `${suite}.test`]
  const { stdout } = await promisify(execFile)(programPath('ipptool'), args, {
    cwd: folder,
    maxBuffer: Number.POSITIVE_INFINITY,
    // It ends with an error if a test failed.
  }).catch((error: { stdout: string }) => error)
  let printed = ''
  return [...stdout.matchAll(/^ {4}(\S.*?) +\[(PASS|FAIL|SKIP)\]\n((?: {8}.*\n)*)/gm)].map(
    ([, title = '', result = '', details = '']) => {
      const isWait = title.includes('Wait for job to complete')
      if (!isWait) printed = title
      return { name: isWait ? `${printed}${WAIT}` : title, result, details }
    },
  )
}

function report({ check }: Checks, suite: Suite, results: Result[]): void {
  const count = (kind: string) => results.filter(({ result }) => result === kind).length
  console.log(`${suite}: ${count('PASS')} passed, ${count('FAIL')} failed, ${count('SKIP')} skipped`)
  const listed = NOT_PASSED[suite]
  const missing = results.filter(({ name, result }) => result !== 'PASS' && !listed[name])
  const surplus = Object.keys(listed).filter(
    (name) => !results.some((one) => one.name === name && one.result === 'SKIP'),
  )
  check(`${suite} has ${TESTS[suite]} tests`, results.length === TESTS[suite] ? undefined : `it has ${results.length}`)
  check(
    `each test of ${suite} passes that is not listed`,
    missing.map(({ name, result, details }) => `${name} ${result}\n${details}`),
  )
  check(`each listed test of ${suite} is skipped by the suite`, surplus)
}

const checks = createChecks()
const missing = await whyNoCups()
if (!missing) await main(checks)
process.exitCode = checks.end()
