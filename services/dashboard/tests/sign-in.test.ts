import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installation } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect } from 'vitest'
import { BASE_URL, browserTest, createCode, visit } from './browser.ts'

const UNAUTHORIZED = /status of 401/

/** The code of the last mail, which an installation without a mail server writes to a directory. */
async function readCode(email: string): Promise<string> {
  const directory = join(installation.dataDir, 'mailbox')
  return await waitFor(async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.eml')).toSorted()
    const mails = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    const code = /^Your code is (\S+)\r?$/m.exec(mails.findLast((mail) => mail.includes(`To: ${email}`)) ?? '')?.[1]
    if (!code) throw new Error('no mail yet')
    return code
  })
}

browserTest('a visitor signs in with the code of the mail and continues on the page of the link', async () => {
  const { page, email, open, expectError } = await visit({ isSignedIn: false })
  expectError(UNAUTHORIZED)
  await open('/jobs?state=all')
  await page.waitForURL(/\/app\/signin/)
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  const code = page.getByLabel('Code')
  await code.waitFor()
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
  const sent = await readCode(email)
  await code.fill('00000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByText(/tr(y|ies)/)
    .first()
    .waitFor()
  await code.fill('')
  await code.pressSequentially(sent.toLowerCase())
  await page.keyboard.press('Enter')
  await page.waitForURL(`${BASE_URL}/app/live/jobs?state=all`)
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
})

browserTest('the link of a mail fills in the code, in the browser that requested it', async () => {
  const { page, email, expectError } = await visit({ isSignedIn: false })
  expectError(UNAUTHORIZED)
  await page.goto(`${BASE_URL}/app/signin`)
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.getByLabel('Code').waitFor()
  await page.goto('about:blank')
  await page.goto(`${BASE_URL}/app/signin#code=${(await readCode(email)).replace('-', '')}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('complementary').waitFor()
})

browserTest('after the end of a session a dialog opens over the page, which keeps what was typed', async () => {
  const { page, context, email, open, expectError } = await visit()
  expectError(UNAUTHORIZED)
  await open('/jobs')
  await page.getByText('Nothing needs attention').waitFor()
  const source = page.getByLabel('Search all jobs')
  await source.fill('half a wor')
  await context.clearCookies()
  // The dialog can be there already, because the feed was refused.
  await page.getByRole('button', { name: 'Done' }).evaluate((button: HTMLButtonElement) => button.click())
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await dialog.waitFor()
  expect(await page.locator('[data-live]').textContent()).toContain('Signed out')
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  // Like autofill or a paste, which submit at once.
  const code = await createCode(email)
  await dialog.getByLabel('Code').evaluate((field: HTMLInputElement) => field.focus())
  await page.keyboard.insertText(code)
  if (await dialog.isVisible()) await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('No job matches these filters').waitFor()
  expect(await source.inputValue()).toBe('half a wor')
})
