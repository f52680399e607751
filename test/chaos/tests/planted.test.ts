import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PLANTED_BUGS } from '../planted/bugs.ts'
import { applyEdits } from '../planted/plant.ts'
import { writePlant } from '../planted/write-plant.ts'

const ROOT = new URL('../../../', import.meta.url)
const run = promisify(execFile)

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-planted-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** Loads `files` in a process of its own, as a service would be started. */
async function load(files: string[], plant: string) {
  const importAll = files.map((file) => `await import('${new URL(file, ROOT).href}')`).join('\n')
  return await run(process.execPath, ['--import', plant, '--input-type=module', '-e', `${importAll}\nprocess.exit(0)`])
}

test('no two bugs have one name', () => {
  const names = PLANTED_BUGS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test.each(PLANTED_BUGS)('$name: the sources have its text, and load with the bug in it', async ({ name, edits }) => {
  const files = [...new Set(edits.map(({ file }) => file))]
  for (const file of files) {
    const source = await readFile(new URL(file, ROOT), 'utf8')
    const ofFile = edits.filter((edit) => edit.file === file)
    expect(applyEdits(ofFile, source)).not.toBe(source)
  }
  await load(files, await writePlant(await temporaryDirectory(), name))
})

test('a planted bug changes what the process does', async () => {
  const plant = await writePlant(await temporaryDirectory(), 'other-tenants-jobs')
  const rpc = new URL('services/jobs/rpc/get-job.ts', ROOT).href
  const script = `const { getJob } = await import('${rpc}'); console.log(getJob.toString())`
  const { stdout } = await run(process.execPath, ['--import', plant, '--input-type=module', '-e', script])
  expect(stdout).toContain('organizationId && mode ?')
})

test('a process whose sources have no place for the bug ends with a message', async () => {
  const directory = await temporaryDirectory()
  const plant = join(directory, 'plant.mjs')
  const planted = new URL('test/chaos/planted/', ROOT)
  await writeFile(
    plant,
    `import { PLANTED_BUGS } from '${new URL('bugs.ts', planted).href}'
     import { plantBug } from '${new URL('plant.ts', planted).href}'
     PLANTED_BUGS[0].edits[0].find = 'a text that is nowhere'
     plantBug(PLANTED_BUGS[0].name)`,
  )
  const file = PLANTED_BUGS[0]?.edits[0]?.file ?? ''
  await expect(load([file], plant)).rejects.toMatchObject({
    code: 78,
    stderr: expect.stringContaining('has this text 0 times rather than once'),
  })
})
