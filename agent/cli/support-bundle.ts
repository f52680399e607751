/** `platen-agent support-bundle`: writes one `.tar.gz` with diagnostics. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { asOwner } from '../support/as-owner.ts'
import { collect } from '../support/collect.ts'
import { tar } from '../support/tar.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { print } from './output.ts'

/** @throws Error when the file cannot be written. */
export async function supportBundle({ dataDir, output }: Options, { stdout }: Io): Promise<number> {
  const now = new Date()
  const name = `platen-agent-support-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`
  const path = resolve(output ?? `${name}.tar.gz`)
  const files = await asOwner(dataDir, () => collect(dataDir, now))
  const inFolder = Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]))
  writeFileSync(path, gzipSync(tar(inFolder, now)), { mode: 0o600 })
  return await print(`${path}\nIt contains no credentials, titles or documents. Review it before you share it.`, stdout)
}
