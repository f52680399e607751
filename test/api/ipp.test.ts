/**
 * Printers of the installation on computers: the test suites of CUPS, and pages of a CUPS that are printed by an agent
 * on another one.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { buildPdf } from '../cups/build-pdf.ts'
import { programPath, whyNoCups } from '../cups/find-cups.ts'
import { drawPages } from '../cups/odd-pdfs.ts'
import { addDriverless, QUEUES, startCups, startCupsServer } from '../cups/start-cups.ts'
import { createBrowser } from '../harness/browser.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { useCupsAgent } from './cups-agent.ts'
import { admin, installation, newOrganization, type Organization } from './installation.ts'

const { baseUrl } = installation.credentials
const PRINT_TIMEOUT_MS = 60_000
const NO_CUPS = await whyNoCups()

let owners = 0

/** An organization whose owner permits printing from computers. */
async function newOpenOrganization(): Promise<Organization> {
  const organization = await newOrganization()
  const email = `ipp-owner-${process.pid}-${++owners}@example.com`
  await admin('users', 'add', '--org', organization.id, '--email', email, '--role', 'owner')
  const { code } = await admin('users', 'sign-in-code', email)
  const browser = createBrowser(baseUrl)
  await browser.post('/account/sign-in/code', { code })
  const changed = await browser.request('PATCH', '/account/organization', { body: { allowsPrintAccess: true } })
  expect(changed.body).toMatchObject({ allowsPrintAccess: true })
  return organization
}

/** @returns the address of a printer with the secret of a new print access. */
async function share(api: Organization['api'], printerId: string): Promise<string> {
  const { number } = (await api.patch(`/v1/printers/${printerId}`, { shared: true })).body
  const { secret } = (await api.post('/v1/print-access', { name: 'Test' })).body
  return `${baseUrl.replace('http', 'ipp')}/ipp/print/${number}/${secret}`
}

/** @returns the directory of a sample, which is removed after the test. */
async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-ipp-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** The documents that the suites print. */
async function makeSamples(): Promise<string> {
  const directory = await makeDirectory()
  const at = (name: string) => join(directory, name)
  writeFileSync(at('document-a4.pdf'), buildPdf({ pages: 2 }))
  writeFileSync(at('document-letter.pdf'), buildPdf({ pages: 2, width: 612, height: 792 }))
  // Tests of PostScript are skipped, but the suite ends without the files.
  for (const name of ['document-a4.ps', 'document-letter.ps']) writeFileSync(at(name), '%!PS\nshowpage\n')
  for (const [device, name] of [
    ['jpeg', 'color.jpg'],
    ['jpeggray', 'gray.jpg'],
  ] as const) {
    const args = [`-sDEVICE=${device}`, '-q', '-dBATCH', '-dNOPAUSE', '-dLastPage=1', '-r75']
    await run('gs', [...args, `-sOutputFile=${at(name)}`, at('document-a4.pdf')])
  }
  return directory
}

const run = (program: string, args: string[], cwd?: string) =>
  promisify(execFile)(programPath(program), args, { cwd, maxBuffer: Number.POSITIVE_INFINITY })

/** Runs a suite of `ipptool`. @returns the number of passed tests, and the lines about failed ones. */
async function runSuite(suite: string, version: string, address: string, samples: string) {
  const args = ['-V', version, '-tIf', 'document-a4.pdf', '-T', '60', address, `${suite}.test`]
  // It ends with an error if a test failed.
  const { stdout } = await run('ipptool', args, samples).catch((error: { stdout: string }) => error)
  const blocks = stdout.split(/\n(?= {4}\S)/)
  const failures = blocks.filter((block) => block.includes('[FAIL]'))
  return { passed: blocks.filter((block) => block.includes('[PASS]')).length, failures }
}

test.skipIf(NO_CUPS)(
  'the suites of CUPS for IPP 1.1, IPP 2.0 and IPP Everywhere pass',
  async () => {
    proves('ipp.suites')
    const { testApi } = await newOpenOrganization()
    const printer = await waitFor(async () => {
      const { data } = (await testApi.get('/v1/printers')).body
      return data.find((one: Shown) => one.capabilities.duplex) ?? expect.fail('no printer')
    })
    const [address, samples] = await Promise.all([share(testApi, printer.id), makeSamples()])
    const first = await runSuite('ipp-1.1', '1.1', address, samples)
    expect(first.failures).toEqual([])
    expect(first.passed).toBeGreaterThanOrEqual(38)
    // It contains the suite for IPP 2.0.
    const second = await runSuite('ipp-everywhere', '2.0', address, samples)
    expect(second.failures).toEqual([])
    expect(second.passed).toBeGreaterThanOrEqual(40)
  },
  300_000,
)

interface Shown {
  name: string
  capabilities: { duplex: boolean }
}

/** A computer with a CUPS of its own, for which the installation is a printer, and another one whose agent prints. */
async function startLoop() {
  const directory = await makeDirectory()
  const [cups, computer, organization] = await Promise.all([startCups(), startCupsServer(), newOpenOrganization()])
  onTestFinished(cups.stop)
  onTestFinished(computer.stop)
  const agent = await useCupsAgent(organization, directory, cups)
  const { api } = organization
  const printer = await waitFor(async () => {
    const { data } = (await api.get('/v1/printers')).body
    return data.find(({ name }: Shown) => name === QUEUES.laser) ?? expect.fail('no printer')
  })
  const address = await share(api, printer.id)
  await addDriverless(computer, 'Direct', 'direct', cups.laser.uri)
  await addDriverless(computer, 'Platen', 'platen', `${address}?waitjob=false`)
  // It follows its job, as a queue without the parameter does.
  await addDriverless(computer, 'Waiting', 'waiting', address)
  const print = async (queue: string, file: string, ...options: string[]) => {
    const before = cups.laser.printed().length
    const args = options.flatMap((option) => ['-o', option])
    await computer.run('lp', '-d', queue, ...args, file)
    await waitFor(() => expect(cups.laser.printed()).toHaveLength(before + 1), PRINT_TIMEOUT_MS)
    return cups.laser.printed().at(-1) ?? expect.fail('nothing was printed')
  }
  return { directory, cups, computer, api, agent, address, print }
}

test.skipIf(NO_CUPS)(
  'a page of a computer is the page that it prints on the device directly',
  async () => {
    proves('ipp.printed')
    proves('ipp.raster')
    const { directory, api, computer, cups, address, print } = await startLoop()
    const file = join(directory, 'pages.pdf')
    writeFileSync(file, buildPdf({ pages: 3 }))
    for (const [options, expected] of [
      [[], {}],
      [['page-ranges=2-3'], {}],
      [['media=iso_a5_148x210mm'], { paper: 'A5' }],
      [['sides=two-sided-long-edge', 'copies=2'], { duplex: 'long-edge', copies: 2 }],
    ] as const) {
      const [direct, through] = [await print('Direct', file, ...options), await print('Platen', file, ...options)]
      const [pages, wanted] = await Promise.all([drawPages(through.file), drawPages(direct.file)])
      expect({ options, pages }).toEqual({ options, pages: wanted })
      const [job] = (await api.get('/v1/printjobs?limit=1')).body.data
      const facts = { source: 'ipp', reportedUser: userInfo().username, title: 'pages.pdf' }
      expect(job).toMatchObject({ options: expected, ...facts })
    }
    // Systems that cannot send PDF send pages of pixels.
    const wanted = await drawPages((await print('Direct', file)).file)
    for (const [device, format] of [
      ['pwgraster', 'image/pwg-raster'],
      ['appleraster', 'image/urf'],
    ] as const) {
      const raster = join(directory, device)
      const form = ['-dcupsColorSpace=19', '-dcupsBitsPerColor=8', '-r300', `-sOutputFile=${raster}`]
      await run('gs', ['-q', '-dNOPAUSE', '-dBATCH', `-sDEVICE=${device}`, ...form, file])
      const before = cups.laser.printed().length
      await run('ipptool', ['-tf', raster, '-d', `filetype=${format}`, address, 'print-job.test'])
      await waitFor(() => expect(cups.laser.printed()).toHaveLength(before + 1), PRINT_TIMEOUT_MS)
      const pages = await drawPages(cups.laser.printed().at(-1)?.file ?? '')
      expect(pages).toHaveLength(wanted.length)
      for (const [n, { ink, amount }] of pages.entries()) {
        const { ink: edges = [], amount: expected = 0 } = wanted[n] ?? {}
        for (const [at, edge] of edges.entries()) expect(Math.abs((ink?.[at] ?? 0) - edge)).toBeLessThan(2)
        expect(Math.abs(amount / expected - 1)).toBeLessThan(0.1)
      }
    }
    // The queue of the computer does not wait for the paper, and has no job left.
    await waitFor(async () => expect(await computer.run('lpstat', '-o')).toBe(''), PRINT_TIMEOUT_MS)
    expect(await computer.run('lpstat', '-p', 'Platen')).toContain('idle')
  },
  300_000,
)

test.skipIf(NO_CUPS)(
  'a job that is cancelled on its computer, or here, ends as cancelled on both',
  async () => {
    proves('ipp.cancelled')
    const { directory, cups, computer, api, agent } = await startLoop()
    const file = join(directory, 'page.pdf')
    writeFileSync(file, buildPdf())
    await agent.stop()
    const send = async () => {
      const before = await countJobs()
      const [, job = ''] = /request id is (\S+)/.exec(await computer.run('lp', '-d', 'Waiting', file)) ?? []
      await waitFor(async () => expect(await countJobs()).toBe(before + 1), PRINT_TIMEOUT_MS)
      return job
    }
    const readJobs = async () => (await api.get('/v1/printjobs')).body.data
    const countJobs = async () => (await readJobs()).length
    const isEnded = async () => expect(await computer.run('lpstat', '-o')).toBe('')

    const cancelled = await send()
    expect(await computer.run('lpstat', '-o')).toContain(cancelled)
    await computer.run('cancel', cancelled)
    await waitFor(async () => expect((await readJobs())[0].state).toBe('cancelled'), PRINT_TIMEOUT_MS)
    await waitFor(isEnded, PRINT_TIMEOUT_MS)

    await send()
    const [{ id }] = await readJobs()
    await api.post(`/v1/printjobs/${id}/cancel`, {})
    await waitFor(isEnded, PRINT_TIMEOUT_MS)
    expect(cups.laser.printed()).toEqual([])
  },
  300_000,
)
