/** Fails when `proto/gen` is not what `npm run generate` makes of the contracts now. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const COMMITTED = 'proto/gen'
const scratch = await mkdtemp(join(tmpdir(), 'platen-generated-'))

async function readTree(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(files.map(async (file) => [file.slice(root.length), await readFile(file, 'utf8')] as const)),
  )
}

try {
  const generated = spawnSync('buf', ['generate', '--output', scratch], { stdio: 'inherit' })
  if (generated.status !== 0) throw new Error('buf generate failed')
  const [fresh, committed] = await Promise.all([readTree(join(scratch, COMMITTED)), readTree(COMMITTED)])
  const names = new Set([...fresh.keys(), ...committed.keys()])
  const stale = [...names].filter((name) => fresh.get(name) !== committed.get(name))
  if (stale.length > 0) {
    console.error(`Not up to date, run \`npm run generate\`:\n  ${stale.map((name) => COMMITTED + name).join('\n  ')}`)
    process.exitCode = 1
  }
} finally {
  await rm(scratch, { recursive: true })
}
