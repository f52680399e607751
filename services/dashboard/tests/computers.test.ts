import { agentAddress, COMPUTER, newJob } from '@platen/test/api/installation.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { expect } from 'vitest'
import { BASE_URL, browserTest, visit } from './browser.ts'

browserTest(
  'the steps of a new computer complete live, until a test page is printed; then it is deleted by its name in all tabs',
  async () => {
    const { page, context, organization, open } = await visit()
    const { api } = organization
    await open('/computers')
    await page.getByText('No computers in live mode').waitFor()
    await page.getByRole('link', { name: 'Add a computer' }).click()
    await page.getByRole('button', { name: 'Create a token' }).click()
    const command = (await page.locator('pre').textContent()) ?? ''
    expect(command).toContain(`enroll --server ${BASE_URL} --token-file -`)
    await page.getByText('has no TLS, so agents refuse to enrol').waitFor()
    const [token] = /platen_enroll_[\w-]+/.exec(command) ?? []
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    const isDone = (name: string) => expect.poll(() => step(name).getAttribute('data-done')).toBe('true')

    const { status, body } = await api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${token}` })
    expect(status).toBe(201)
    await isDone('Token used')
    const agent = await connectLightAgent(agentAddress, body.credential)
    await isDone('Agent connected')
    await isDone('Printers found')
    await step('Test page printed').getByRole('button').click()
    await isDone('Test page printed')
    agent.close()

    await step('Agent connected').getByRole('link', { name: 'till-1' }).click()
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

browserTest('enrolment tokens are listed and revoked', async () => {
  const { page, organization, open } = await visit()
  const { body } = await organization.api.post('/v1/enrollments', { maxUses: 3 })
  await open('/computers')
  const row = page.getByRole('row').filter({ hasText: '0 of 3' })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  await row.waitFor({ state: 'detached' })
  const answer = await organization.api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${body.token}` })
  expect(answer.status).toBe(401)
})
