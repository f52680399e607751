/** Prints the sign-in codes of an installation without a mail server, whose mails are files. */
import { readFile, watch } from 'node:fs/promises'
import { join } from 'node:path'

/** The line that `services/accounts/sign-in/mails.ts` writes. */
const CODE = /^Your code is ([0-9A-Z-]+)\r?$/m
const ADDRESS = /^To: (\S+)\r?$/m

/** Returns after the start. @param mailbox contains only complete files, which are created by a rename. */
export async function printCodes(mailbox: string, print: (line: string) => void, stopping: AbortSignal): Promise<void> {
  const printed = new Set<string>()
  const changes = watch(mailbox, { signal: stopping })
  const follow = async () => {
    for await (const { filename } of changes) {
      if (!filename?.endsWith('.eml') || filename.startsWith('.') || printed.has(filename)) continue
      printed.add(filename)
      const mail = await readFile(join(mailbox, filename), 'utf8')
      const [code, address] = [CODE.exec(mail)?.[1], ADDRESS.exec(mail)?.[1]]
      if (code && address) print(`Sign-in code for ${address}: ${code}`)
    }
  }
  follow().catch((error: unknown) => {
    if (!stopping.aborted) print(`Sign-in codes are no longer printed; they are in ${mailbox}: ${error}`)
  })
}
