import { expect } from 'vitest'
import { addSession, BASE_URL, browserTest, visit } from './browser.ts'

browserTest('a key is created, shown once and revoked', async () => {
  const { page, open } = await visit()
  await open('/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByLabel('Name').fill('Till 7')
  await page.getByLabel('Expires').selectOption('in 30 days')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.locator('[data-secret]').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Till 7' })
  expect(await row.textContent()).toMatch(/read, print[\s\S]*\d{4}-\d\d-\d\d[\s\S]*never/)
  expect(await row.textContent()).toContain(key.slice(-4))
  // Names can repeat, so a phone shows the end of the key as well.
  await page.setViewportSize({ width: 390, height: 800 })
  await row.getByText(`…${key.slice(-4)} · read, print`).waitFor()
  await page.reload()
  await row.waitFor()
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  expect((await page.content()) + stored).not.toContain(key)
  await row.getByRole('button', { name: 'Revoke Till 7' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke the live key Till 7?' })
  expect(await dialog.textContent()).toMatch(new RegExp(`…${key.slice(-4)}, read, print[\\s\\S]*It was never used`))
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await row.filter({ hasText: 'revoked' }).waitFor()
})

browserTest(
  'an owner invites a member, who accepts, gets another role and is removed, but not the last owner',
  async () => {
    const { page, email, expectError } = await visit()
    expectError(/status of 409/)
    const invited = await visit()
    await page.goto(`${BASE_URL}/app/settings/members`)
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page.getByLabel('Email').fill(invited.email)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.locator(`tr[data-invited="${invited.email}"]`).waitFor()
    await invited.page.goto(`${BASE_URL}/app/settings/invitations`)
    await invited.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await invited.page.getByLabel('Organization').waitFor()
    const row = page.locator(`tr[data-member="${invited.email}"]`)
    await row.getByRole('combobox').selectOption('admin')
    const notice = page.getByRole('status').getByText(`${invited.email} is now admin`)
    await notice.waitFor()
    // Visits prefer reduced motion. This one ends after 4 s.
    await notice.evaluate((element) => {
      for (const animation of element.getAnimations()) animation.finish()
    })
    await notice.waitFor({ state: 'hidden' })
    await row.getByRole('button', { name: `Actions for ${invited.email}` }).click()
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByLabel(`Role of ${email}`, { exact: true }).selectOption('member')
    await page.getByRole('alert').filter({ hasText: 'The role was not changed' }).waitFor()
    await expect.poll(() => page.getByLabel(`Role of ${email}`, { exact: true }).inputValue()).toBe('owner')

    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.locator('tr[data-action="removeMember"]').filter({ hasText: invited.email }).waitFor()
    await page.getByRole('button', { name: 'createInvitation' }).first().click()
    await page.waitForURL(/action=createInvitation/)
    await expect.poll(() => page.locator('tr[data-action] td:nth-child(2) button').allTextContents()).toEqual([email])
    const failed = page.locator('tr[data-action="updateMember"]').filter({ hasText: 'last owner' })
    await page.getByLabel('Action').selectOption('Changed the role of …')
    await failed.waitFor()
  },
)

browserTest('a member leaves the organization, and sees invitations without one', async () => {
  const { page, organization, email, expectError } = await visit({ role: 'member' })
  // Requests of the page that it leaves.
  expectError(/status of 403/)
  const owner = await visit({ organization })
  await page.goto(`${BASE_URL}/app/settings/members`)
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'No organization' }).waitFor()
  await page.getByText('You have no open invitations').waitFor()
  await owner.page.goto(`${BASE_URL}/app/settings/members`)
  await owner.page.getByRole('button', { name: 'Invite a member' }).click()
  await owner.page.getByLabel('Email').fill(email)
  await owner.page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('complementary').waitFor()
})

browserTest('an owner renames the organization, and ends another session', async () => {
  const { page, context, email } = await visit()
  const other = await context.browser()?.newContext()
  if (!other) throw new Error('no browser')
  await addSession(other, email)
  const [ended] = await other.cookies()
  await other.close()
  await page.goto(`${BASE_URL}/app/settings`)
  await page.getByLabel('Name').fill('Corner shop 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('complementary').getByText('Corner shop 2').waitFor()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.locator('tr[data-session]').nth(1).waitFor()
  await page.getByRole('button', { name: /End the session/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => page.locator('tr[data-session]').count()).toBe(1)
  expect(await page.locator('tr[data-session]').textContent()).toContain('this one')
  await expect
    .poll(async () => {
      const url = `${BASE_URL.replace('platen.test', '127.0.0.1')}/account/session`
      return (await fetch(url, { headers: { cookie: `${ended?.name}=${ended?.value}` } })).status
    })
    .toBe(401)
})

browserTest('without the service the sign-out says so, and the user stays signed in', async () => {
  const { page, open, expectError } = await visit()
  expectError(/ERR_FAILED|status of 401/)
  await open('/keys')
  const session = (url: URL) => url.pathname === '/account/session'
  await page.route(session, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'You are still signed in' })
  await dialog.getByText('The service cannot be reached').waitFor()
  await page.unroute(session)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL(`${BASE_URL}/app/signin`)
})

browserTest('the usage shows prints, computers and test jobs', async () => {
  const { page, organization } = await visit()
  await organization.connectAgent()
  await page.goto(`${BASE_URL}/app/usage`)
  await page.getByText('of 500 test jobs').waitFor()
  expect(await page.getByRole('region', { name: 'Computers' }).textContent()).toContain('1')
})
