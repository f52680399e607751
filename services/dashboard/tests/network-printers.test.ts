import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installation, newJob } from '@platen/test/api/installation.ts'
import { useEpson, useZebra } from '@platen/test/devices/print-on.ts'
import { enrollComputer } from '@platen/test/harness/enroll-computer.ts'
import { expect } from 'vitest'
import { allowPort, announcePrinters } from '../../../agent/tests/dns-sd.ts'
import { startRawPrinter } from '../../../agent/tests/raw-printer.ts'
import { makeDataDir, startAgent } from '../../../agent/tests/start-agent.ts'
import { connectTestAgent } from '../../devices/tests/test-agent.ts'
import { browserTest, visit } from './browser.ts'

browserTest(
  'a network printer is found, added, prints a test page and is removed without a file; the agent sends diagnostics',
  async () => {
    const device = await startRawPrinter()
    const { port } = new URL(device.uri)
    const suffix = announcePrinters([
      { name: 'Zebra', service: '_pdl-datastream._tcp', port: Number(port), txt: ['ty=ZTC ZD420-203dpi ZPL'] },
    ])
    const { page, organization, open, expectError } = await visit({ role: 'admin' })
    const { computerId, credential } = await enrollComputer(organization.api)
    startAgent({ url: installation.credentials.agentUrl }, { credential, allowedNetworks: allowPort(device.uri) })
    await open(`/computers/${computerId}`)
    await page.getByRole('button', { name: 'Add a network printer' }).click()
    const name = `Zebra${suffix}`
    await page.getByRole('button', { name: `Use ${name}` }).click()
    expect(await page.getByLabel('Address').inputValue()).toBe(`127.0.0.1:${port}`)

    // An address of another network is refused in words.
    await page.getByLabel('Address').fill('203.0.113.1')
    await page.getByRole('button', { name: 'Add the printer' }).click()
    expectError(/status of 409/)
    await page.getByText('203.0.113.1 is not in a network of the computer').waitFor()

    await page.getByLabel('Address').fill(`127.0.0.1:${port}`)
    await page.getByLabel('Name', { exact: true }).fill('Packing table')
    // The model names its language.
    expect(await page.getByLabel('Language').inputValue()).toBe('zpl')
    expect(await page.getByLabel('Width in dots').inputValue()).toBe('812')
    await page.getByRole('button', { name: 'Add the printer' }).click()
    await page.getByRole('radio', { name: 'Packing table' }).waitFor()
    await page.getByRole('button', { name: 'Print a test page' }).click()
    await page.getByRole('link', { name: 'Test page' }).waitFor()
    await expect.poll(() => device.printed().map((bytes) => bytes.includes('^XA'))).toEqual([true])
    await page.locator('[data-state="done"]').waitFor()

    await page.locator('h1').getByRole('link', { name: 'till-1' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Packing table' })
    await row.getByRole('button', { name: 'Remove Packing table' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove printer' }).click()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Ask for diagnostics' }).click()
    await page.getByRole('region', { name: 'Diagnostics' }).locator('summary').click()
    await page.getByText('== doctor.txt ==').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    expect((await saving).suggestedFilename()).toMatch(/^diagnostics-till-1-.*\.txt$/)
  },
)

browserTest('a PDF that a raw printer refuses leads to its language, which is set on its page', async () => {
  const device = await startRawPrinter()
  const { page, organization, open } = await visit({ role: 'admin' })
  const { api } = organization
  const { computerId, credential } = await enrollComputer(api)
  const printers = [{ name: 'Till', uri: device.uri }]
  startAgent({ url: installation.credentials.agentUrl }, { credential, allowedNetworks: undefined, printers })
  const list = async () => (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  await expect.poll(async () => (await list()).map(({ name }: { name: string }) => name)).toContain('Till')
  const till = (await list()).find(({ name }: { name: string }) => name === 'Till')
  const job = await api.createJob(newJob(till.id))
  await api.waitUntilFinal(job.id)
  await open(`/jobs/${job.id}`)
  await page.getByRole('link', { name: 'Set the language of the printer' }).click()
  const section = page.getByRole('region', { name: 'Language' })
  await section.getByLabel('Language').selectOption('escpos')
  await section.getByLabel('Width in dots').fill('512')
  expect(await page.getByLabel('Color').count()).toBe(0)
  await section.getByRole('button', { name: 'Set the language' }).click()
  await page.getByText('Options for jobs that do not set them').waitFor()
  const { capabilities } = (await api.get(`/v1/printers/${till.id}`)).body
  expect(capabilities.raster).toEqual({ rawLanguage: 'escpos', dpi: 203, width: 512 })
  const { id } = await api.createJob(newJob(till.id))
  expect((await api.waitUntilFinal(id)).state).toBe('done')
  expect(device.printed()[0]?.toString('latin1')).toContain('\x1dv0')
})

browserTest('the language of a printer is asked before it is added, and of a known one on its page', async () => {
  const till = await useEpson({ sheetMs: 20, hasIds: true, names: { 66: 'EPSON', 67: 'TM-T88V' } })
  const label = await useZebra({ sheetMs: 20, variables: { 'ezpl.print_width': '640' } })
  const { page, organization, open } = await visit({ role: 'admin' })
  const { api } = organization
  const { computerId, credential } = await enrollComputer(api)
  const printers = [{ name: 'Label', uri: label.uri }]
  startAgent({ url: installation.credentials.agentUrl }, { credential, allowedNetworks: allowPort(till.uri), printers })
  await open(`/computers/${computerId}`)
  await page.getByRole('button', { name: 'Add a network printer' }).click()
  await page.getByLabel('Kind').selectOption('socket')
  await page.getByLabel('Address').fill(till.uri)
  await page.getByText('may print a few characters').waitFor()
  await page.getByRole('button', { name: 'Ask the printer' }).click()
  await expect.poll(() => page.getByLabel('Language').inputValue()).toBe('escpos')
  expect(await page.getByLabel('Resolution in dpi').inputValue()).toBe('180')
  expect(await page.getByLabel('Width in dots').inputValue()).toBe('512')
  await page.getByLabel('Name', { exact: true }).fill('Till')
  await page.getByRole('button', { name: 'Add the printer' }).click()
  await page.getByRole('radio', { name: 'Till' }).waitFor()

  const list = async () => (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const { id } = (await list()).find(({ name }: { name: string }) => name === 'Label')
  await open(`/printers/${id}`)
  await page.getByRole('button', { name: 'Ask the printer' }).click()
  await expect.poll(() => page.getByLabel('Width in dots').inputValue()).toBe('640')
  await page.getByRole('button', { name: 'Set the language' }).click()
  await expect.poll(async () => (await api.get(`/v1/printers/${id}`)).body.capabilities.raster?.rawLanguage).toBe('zpl')
  expect(await page.getByRole('button', { name: 'Ask the printer' }).count()).toBe(0)
})

browserTest('a raw queue for a port offers that Platen prints to it itself, as another printer', async () => {
  const { page, organization, open } = await visit({ role: 'admin' })
  const { api } = organization
  const { computerId, credential } = await enrollComputer(api)
  const agent = connectTestAgent(new URL(installation.credentials.agentUrl).host, credential)
  agent.knows('listAddedPrinters', 'addPrinter')
  const capabilities = { copies: 1, nup: [1], formats: { names: ['raw'] } }
  const queue = { osName: 'label_queue', name: 'Label', state: 'online', capabilities }
  agent.hello([queue])
  await agent.waitForMessages('welcome')
  const uri = 'socket://10.0.0.9:9100'
  const added: unknown[] = []
  let refusal = 'Not permitted. Set it to true.'
  agent.onCommand((command) => {
    if (command.case === 'addPrinter') {
      added.push(command.value)
      return { case: 'addPrinter', value: { osName: command.value.name, uri } }
    }
    const queues = added.length > 0 ? [] : [{ osName: queue.osName, uri: refusal ? '' : uri }]
    return { case: 'listAddedPrinters', value: { printers: [], refusal, queues } }
  })
  const [{ id }] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  await open(`/printers/${id}`)
  const section = page.getByRole('region', { name: 'What the printer says' })
  await section.getByText('The queue stays and goes on printing its own jobs').waitFor()
  await section.getByText(refusal).waitFor()
  refusal = ''
  await page.reload()
  await section.getByText(`sends to ${uri}`).waitFor()
  await section.getByRole('link', { name: 'Let Platen print to this address itself' }).click()
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe('10.0.0.9:9100')
  expect(await page.getByLabel('Kind').inputValue()).toBe('socket')
  await page.getByRole('button', { name: 'Add the printer' }).click()
  await page.getByText('The agent reports the printer').waitFor()
  expect(added).toMatchObject([{ name: 'Label (direct)', uri }])
  await open(`/printers/${id}`)
  await page.getByRole('region', { name: 'Language' }).waitFor()
  expect(await section.count()).toBe(0)
})

browserTest(
  'a computer whose owner permits no network printers says so and what to do, before an address is typed',
  async () => {
    const { page, organization, open } = await visit({ role: 'admin' })
    const { computerId, credential } = await enrollComputer(organization.api)
    const dataDir = makeDataDir()
    const printers = [{ name: 'Packing table', uri: 'socket://192.0.2.1:9100' }]
    writeFileSync(join(dataDir, 'added-printers.json'), JSON.stringify({ printers, rasterize: {} }))
    const agent = { url: installation.credentials.agentUrl }
    const { stop } = startAgent(agent, { credential, dataDir, allowedNetworks: undefined })
    await open(`/computers/${computerId}`)
    await page.getByText('Printers that were added here go on printing. The owner of the computer').waitFor()
    await page.getByRole('button', { name: 'Remove Packing table' }).waitFor()
    await page.getByRole('button', { name: 'Add a network printer' }).click()
    await page.getByText('set "allowedNetworks" to true in agent.json on the computer').waitFor()
    expect(await page.getByLabel('Address').count()).toBe(0)

    // The page asks the agent again when it is opened.
    const check = page.getByRole('button', { name: 'Check again' })
    await expect.poll(() => check.isEnabled()).toBe(true)
    await stop()
    const { readLog } = startAgent(agent, { credential, dataDir, allowedNetworks: true })
    await expect.poll(readLog).toContain('"connected"')
    await check.click()
    await page.getByLabel('Address').waitFor()
    await page.getByRole('button', { name: 'Search again', disabled: false }).waitFor()
    expect(await page.getByText('The printers were not searched.').count()).toBe(0)
  },
)

browserTest('an agent without commands says its version, and members cannot add printers', async () => {
  const { page, organization, open, expectError } = await visit()
  const { computerId } = await organization.connectAgent()
  expectError(/status of 409/)
  await open(`/computers/${computerId}/add-printer`)
  await page.getByText('(version bench) does not know this command').waitFor()
  const member = await visit({ organization, role: 'member' })
  await member.open(`/computers/${computerId}`)
  const add = member.page.getByRole('button', { name: 'Add a network printer' })
  expect(await add.getAttribute('aria-description')).toBe('Only owners and admins can add printers.')
})

browserTest('a computer is paused, says so, and is resumed', async () => {
  const { page, organization, open, expectError } = await visit({ role: 'admin' })
  // The agent does not know the command that lists added printers.
  expectError(/status of 409/)
  const { computerId, printerId } = await organization.connectAgent()
  await open(`/computers/${computerId}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('New jobs wait until the computer is resumed').waitFor()
  const { id } = await organization.api.createJob(newJob(printerId))
  await page.locator(`tr[data-job="${id}"]`).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('New jobs wait until the computer is resumed').waitFor({ state: 'detached' })
  expect((await organization.api.waitUntilFinal(id)).state).toBe('done')
})
