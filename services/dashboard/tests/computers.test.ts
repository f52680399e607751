import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectTestAgent } from '@platen/devices/tests/test-agent.ts'
import { toUnfinished } from '@platen/runtime/packages.ts'
import { agentAddress, newJob } from '@platen/test/api/installation.ts'
import { COMPUTER, enrollComputer } from '@platen/test/harness/enroll-computer.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { expect, inject, onTestFinished } from 'vitest'
import { offerPackages, toPackage } from './agent-packages.ts'
import { BASE_URL, browserTest, visit } from './browser.ts'

browserTest(
  'the steps of a new computer complete live, until a test page is printed; then it is deleted by its name in all tabs',
  async () => {
    const { page, context, organization, open } = await visit()
    const { api } = organization
    await open('/computers')
    await page.getByText('No computers in live mode').waitFor()
    await page.getByRole('link', { name: 'Add a computer' }).click()
    await page.getByText('has no TLS, so agents refuse to enrol').waitFor()
    const create = page.getByRole('button', { name: 'Create a token' })
    // Until packages are built, the page names the command and shows the progress. It shows them without a reload.
    await page.getByRole('radio', { name: 'macOS' }).check()
    await page.getByText('npm run package:agent').waitFor()
    const building = toUnfinished(inject('agentPackages'), process.pid)
    await mkdir(building)
    await page.getByText('The packages are being built, which takes about a minute. 0 of them are finished.').waitFor()
    expect(await create.isDisabled()).toBe(true)
    await rm(building, { recursive: true })
    await offerPackages(inject('agentPackages'), ['linux-x64.deb', 'macos-arm64.tar.gz'])
    await page.getByText('Packages of version 1.2.3, not signed').waitFor()
    await page.getByRole('radio', { name: 'Linux' }).check()
    await create.click()
    await page.getByText('Packages of version 1.2.3, not signed').click()
    await page.locator('pre').nth(1).waitFor()
    const link = page.getByRole('link', { name: toPackage('linux-x64.deb') })
    expect(await link.getAttribute('href')).toBe(`/agents/${toPackage('linux-x64.deb')}`)
    const [command = '', token = ''] = await page.locator('pre').allTextContents()
    const install = `curl -fsSL ${BASE_URL}/agents/install.sh | sudo sh -s -- --server ${BASE_URL}`
    expect(command).toBe(`${install} --allow-network-printers`)
    await page.getByRole('checkbox', { name: 'Allow network printers' }).uncheck()
    expect(await page.locator('pre').first().textContent()).toBe(install)
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`${name}: (done|not yet)`) })
    const isDone = (name: string) => expect.poll(() => step(name).getAttribute('data-done')).toBe('true')

    const { status, body } = await api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${token}` })
    expect(status).toBe(201)
    await isDone('Enrolled')
    const agent = await connectLightAgent(agentAddress, body.credential, { printers: ['Bench', 'Label'] })
    await isDone('Online')
    await isDone('Printers found')
    // A printer without papers has no driver.
    const lastStep = step('Test page printed')
    expect(await lastStep.getByLabel('Document').inputValue()).toBe('zpl')
    agent.close()
    await lastStep.getByRole('radio', { name: 'Label' }).check()
    await lastStep.getByRole('button', { name: 'Print a test page' }).click()
    await lastStep.getByRole('link', { name: 'Test page' }).waitFor()
    const { data } = (await api.get('/v1/printjobs?limit=1')).body
    await api.post(`/v1/printjobs/${data[0].id}/cancel`, {})
    await lastStep.getByText('Choose another printer or document, and print it again.').waitFor()
    expect(await lastStep.getAttribute('data-done')).toBe('false')
    const again = await connectLightAgent(agentAddress, body.credential, { printers: ['Bench', 'Label'] })
    await lastStep.getByRole('radio', { name: 'Bench' }).check()
    await lastStep.getByRole('button', { name: 'Print it again' }).click()
    await isDone('Test page printed')
    again.close()

    await step('Online').getByRole('link', { name: 'till-1' }).click()
    await page
      .getByText(/offline/)
      .first()
      .waitFor()
    const { id: printerId } = await api.printer('Bench')
    const { id: jobId } = await api.createJob(newJob(printerId, { title: 'Waits' }))
    const other = await context.newPage()
    await other.goto(`${BASE_URL}/app/live/computers`)
    await other.getByRole('link', { name: 'till-1' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the live computer till-1?' })
    await dialog.locator(`tr[data-job="${jobId}"]`).waitFor()
    const remove = dialog.getByRole('button', { name: 'Delete computer' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('till-1')
    await remove.click()
    await page.getByText('No computers in live mode').waitFor()
    await other.getByText('No computers in live mode').waitFor()
    expect((await api.getJob(jobId)).state).toBe('cancelled')
  },
)

browserTest('a computer without CUPS shows what to do, and leads to a network printer', async () => {
  const { page, organization, open, expectError } = await visit()
  // The agent of the test knows no commands.
  expectError(/status of 409/)
  const { computerId, credential } = await enrollComputer(organization.api)
  const agent = connectTestAgent(agentAddress, credential)
  const message =
    'CUPS is not installed on till-1: `sudo apt install cups`, or add a network printer, which needs no CUPS.'
  const spoolerState = { code: 'not-installed', message }
  agent.send({ case: 'hello', value: { agentVersion: '1.0.0', hostname: 'till-1', os: 'linux', spoolerState } })
  await agent.waitForMessages('welcome')
  await open(`/computers/${computerId}`)
  const printers = page.getByRole('region', { name: 'Printers' })
  await printers.getByText('sudo apt install cups').waitFor()
  await printers.getByRole('button', { name: 'Add a network printer' }).click()
  await page.getByRole('heading', { name: 'Add a network printer' }).waitFor()
})

browserTest(
  'enrolment tokens are listed and revoked; a refused agent is apart from a computer that is off',
  async () => {
    const { page, organization, open } = await visit()
    const { body } = await organization.api.post('/v1/enrollments', { maxUses: 3 })
    await open('/computers')
    await page.getByText('Enrolment tokens: 1 can be used').click()
    const row = page.getByRole('row').filter({ hasText: '0 of 3' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('Enrolment tokens: none can be used').waitFor()
    await row.waitFor({ state: 'detached' })
    const answer = await organization.api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${body.token}` })
    expect(answer.status).toBe(401)

    const { credential, computerId } = await enrollComputer(organization.api)
    const { body: again } = await organization.api.post('/v1/enrollments', {})
    const renewed = { ...COMPUTER, previousCredential: credential }
    await organization.api.post('/v1/agents/enroll', renewed, { authorization: `Bearer ${again.token}` })
    const agent = connectTestAgent(agentAddress, credential)
    agent.hello()
    await agent.ending()
    await open('/computers')
    await page.locator(`tr[data-computer="${computerId}"]`).getByText('unauthorized').waitFor()
    await page.getByRole('link', { name: COMPUTER.hostname }).click()
    await page.getByRole('link', { name: 'Enrol the computer again' }).waitFor()
  },
)

browserTest(
  'a computer shows why the newest update of its agent has failed, and the way to update that its agent knows',
  async () => {
    const { page, organization, open, expectError } = await visit()
    const { computerId, credential } = await enrollComputer(organization.api)
    const agent = connectTestAgent(agentAddress, credential)
    const updateState = { failedVersion: '1.2.3', failure: 'Version 1.2.3 did not connect within 2 minutes.' }
    agent.send({ case: 'hello', value: { agentVersion: '1.0.0', os: 'linux', updateState } })
    await agent.waitForMessages('welcome')
    await open(`/computers/${computerId}`)
    await page.getByText('The update to version 1.2.3 has failed: Version 1.2.3 did not connect').waitFor()
    await open('/computers')
    await page.getByText('update failed').waitFor()

    await open(`/computers/${computerId}`)
    const command = (text: string) => page.locator('pre').filter({ hasText: text }).waitFor()
    await command('/agents/install.sh')
    const signature = join(inject('agentPackages'), 'SHA256SUMS.minisig')
    await writeFile(signature, 'signed')
    onTestFinished(() => rm(signature))
    await command('sudo platen-agent update')
    agent.send({ case: 'updateState', value: { isAutomatic: true } })
    const isAutomatic = async () =>
      (await organization.api.get(`/v1/computers/${computerId}`)).body.agentUpdate?.automatic
    await expect.poll(isAutomatic).toBe(true)
    await page.reload()
    expectError(/409/)
    await page.getByRole('button', { name: 'Update now' }).click()
    await page.getByText('does not know this command').waitFor()
  },
)

browserTest(
  'a computer whose agent has another version than the packages shows the command that upgrades it',
  async () => {
    const { page, organization, open } = await visit()
    const { computerId } = await enrollComputer(organization.api)
    await open(`/computers/${computerId}`)
    await page.getByText('Update available: version 1.2.3').waitFor()
    await page
      .locator('pre')
      .filter({ hasText: `/agents/install.sh | sudo sh -s -- --server ${BASE_URL}` })
      .waitFor()
  },
)
