/**
 * Real client libraries of PrintNode, unchanged, against the interface: see `docs/printnode.md#tests`. A library that
 * the folder lacks is skipped, because none is part of this repository. What they send and demand is in
 * `printnode.test.ts` of the gateway as well.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addGateway, newPrinting } from '@platen/gateway/tests/client.ts'
import { createTlsProcess } from '@platen/test/harness/tls-process.ts'
import { expect, test } from 'vitest'

const FOLDER = process.env.PLATEN_PRINTNODE_CLIENTS

/** @param name of the folder and of the suffix of its program. */
const library = (name: string, suffix: string, command: string) => ({
  folder: join(FOLDER ?? '', name),
  command,
  program: join(import.meta.dirname, `printnode/print.${suffix}`),
})

test.for([
  ['the official Python library', library('python', 'py', 'python3')],
  ['the official PHP library, by HTTPS alone,', library('php', 'php', 'php')],
  ['the official Ruby library', library('ruby', 'rb', 'ruby')],
  ['npm `printnode-client`', library('npm', 'ts', process.execPath)],
] as const)(
  '%s prints, reads, cancels, and recognizes a wrong key',
  async ([, { folder, command, program }], { skip }) => {
    skip(!FOLDER || !existsSync(folder))
    const { tls, replace } = await createTlsProcess()
    await replace()
    const gateway = await addGateway({ printNode: { host: undefined }, ...(command === 'php' && { tls }) })
    const url = command === 'php' ? gateway.url.replace('http:', 'https:') : gateway.url
    const { key } = await newPrinting('live', gateway.url)
    const { stdout } = await promisify(execFile)(command, [program, url, key, folder])
    expect(JSON.parse(stdout)).toEqual({
      account: 'active',
      computers: [1],
      printer: [1, 1],
      jobs: [
        [2, 'Label', 'raw_base64', 'deleted'],
        [1, 'Größe für Zoë: 5 €', 'pdf_base64', 'new'],
      ],
      states: [['new', 'deleted'], ['new']],
      cancelled: [2],
      wrong: expect.stringMatching(/API Key not found$/),
    })
  },
)
