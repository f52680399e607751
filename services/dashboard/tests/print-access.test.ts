import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { browserTest, visit } from './browser.ts'

browserTest('a printer is added to a computer by lines and a profile, and the access is revoked', async () => {
  const { page, organization, open } = await visit()
  const { api, connectAgent } = organization
  const { printerId } = await connectAgent()
  await api.patch(`/v1/printers/${printerId}`, { displayName: 'Front desk' })
  const { number } = (await api.get(`/v1/printers/${printerId}`)).body
  await open(`/printers/${printerId}`, 'live')
  await page.getByRole('button', { name: 'Add to a computer' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Make the address' }).isEnabled()).toBe(false)
  await dialog.getByRole('button', { name: 'Permit it' }).click()
  await dialog.getByRole('button', { name: 'Share the printer' }).click()
  await dialog.getByLabel('System').selectOption('Linux')
  await dialog.getByLabel('Name of the computer').fill("Anna's laptop")
  await dialog.getByRole('button', { name: 'Make the address' }).click()
  await dialog.getByText('Waits for the computer').waitFor()
  const line = (await dialog.locator('pre').first().textContent()) ?? ''
  const url = /-v '([^']+)'/.exec(line)?.[1] ?? ''
  expect(line).toMatch(/^sudo lpadmin -p 'Front_desk' -E -v 'ipp:.*\?waitjob=false' -m everywhere/)
  const { host } = new URL(page.url())
  const secret = /[a-z2-7]{26}/.exec(url)?.[0] ?? ''
  expect(url).toBe(`ipp://${host}/ipp/print/${number}/${secret}?waitjob=false`)

  await dialog.getByLabel('System').selectOption('iPhone and iPad')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download the profile' }).click(),
  ])
  const profile = await readFile(await file.path(), 'utf8')
  expect(profile).toContain(`<string>ipp/print/${number}/${secret}</string>`)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await open('/print-access', 'live')
  const row = page.locator('tr[data-access]').filter({ hasText: "Anna's laptop" })
  await row.getByRole('cell', { name: 'Front desk', exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('revoked').waitFor()
})

browserTest('a destination is added to a computer, once all of its printers are shared', async () => {
  const { page, organization, open } = await visit()
  const { api, connectAgent } = organization
  const printerIds: string[] = []
  for (const displayName of ['Pass', 'Bar', 'Grill']) {
    const { printerId } = await connectAgent()
    await api.patch(`/v1/printers/${printerId}`, { displayName, shared: displayName === 'Grill' })
    printerIds.push(printerId)
  }
  const { body: destination } = await api.post('/v1/destinations', { name: 'kitchen', printers: printerIds })
  await open(`/destinations/${destination.id}`, 'live')
  await page.getByRole('button', { name: 'Add to a computer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Permit it' }).click()
  await dialog.getByText('These printers are not shared: Pass, Bar.').waitFor()
  await dialog.getByRole('button', { name: 'Share the printers' }).click()
  await dialog.getByLabel('System').selectOption('Android')
  await dialog.getByRole('button', { name: 'Make the address' }).click()
  await dialog.getByText('Waits for the computer').waitFor()
  const { host } = new URL(page.url())
  expect(await dialog.locator('pre').first().textContent()).toMatch(
    new RegExp(`^ipp://${host}/ipp/print/d/${destination.number}/[a-z2-7]{26}$`),
  )
  const { data } = (await api.get('/v1/print-access')).body
  expect(data[0].printerIds.toSorted()).toEqual(printerIds.toSorted())
})
