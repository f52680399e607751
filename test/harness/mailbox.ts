/** The mails that the services of a world sent. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from './world.ts'

/** @returns the texts of all mails to an address, oldest first. */
export async function readMails({ mailbox }: Pick<World, 'mailbox'>, address: string): Promise<string[]> {
  const names = await readdir(mailbox).catch(() => [])
  const complete = names.filter((name) => name.endsWith('.eml')).toSorted()
  const mails = await Promise.all(complete.map((name) => readFile(join(mailbox, name), 'utf8')))
  return mails.filter((mail) => mail.includes(`To: ${address}\r\n`))
}

/** @returns the code of the last mail, after the sweep that sends it; undefined without a mail. */
export async function readCode(world: World, address: string): Promise<string | undefined> {
  await world.sweep('accounts', 'sign-in codes')
  const mail = (await readMails(world, address)).at(-1)
  return /^Your code is ([0-9A-Z-]+)\r$/m.exec(mail ?? '')?.[1]?.replace('-', '')
}
