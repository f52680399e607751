/** `docs/agent.md` is true: what it tells a newcomer to run is taken from the file itself, and run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'

const ROOT = new URL('../../', import.meta.url)
const GUIDE = await readFile(new URL('docs/agent.md', ROOT), 'utf8')

/** What the guide says to add where there is no printer. */
const SPOOLER = ' --spooler virtual'

let platen: Platen
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platen-guide-'))
  await writeFile(join(directory, 'document.pdf'), makePdf('Hello'))
  platen = await startPlaten()
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
  await rm(directory, { recursive: true })
})

/** The commands of the guide for this installation, with everything that they write in a directory of the test's own. */
function commands(): string {
  const blocks = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code)
  const script = blocks.join('\n')
  const { baseUrl, liveKey } = platen.credentials
  const changes: [string, string][] = [
    ['=http://localhost:8080\n', `=${baseUrl}\n`],
    ['=platen_live_…\n', `=${liveKey}\n`],
    ['platen-agent printers', 'true'],
    ['--token "$TOKEN"\n', `--token "$TOKEN"${SPOOLER}\n`],
    ['npm run -s agent --', `npm --prefix '${ROOT.pathname}' run -s agent --`],
  ]
  for (const [from] of changes) expect(script).toContain(from)
  return changes.reduce((all, [from, to]) => all.replace(from, to), script)
}

test('the commands of the guide lead from nothing to a job in done, and to a bundle for helpers', async () => {
  const env = { ...process.env, STATE_DIRECTORY: join(directory, 'agent') }
  // In a group of its own, which has the agent in it: what the guide leaves running ends with the test.
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `${commands()}\necho "$JOB"`], {
    cwd: directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = text(shell.stdout)
  const errors = text(shell.stderr)
  try {
    const [code] = await once(shell, 'exit')
    process.kill(-(shell.pid ?? 0))
    const lines = (await output).trimEnd().split('\n')
    expect([code, await errors]).toEqual([0, ''])
    const id = lines.pop() ?? ''
    expect(lines).toContain('done')
    expect(lines).toContain('Nothing is wrong.')
    expect(lines.join('\n')).toMatch(/connected since/)
    const api = createApi(platen.credentials.baseUrl, platen.credentials.liveKey)
    expect(await api.getJob(id)).toMatchObject({ state: 'done', title: 'Hello', mode: 'live' })
    expect(await readFile(join(directory, 'agent.out'), 'utf8')).toContain('job finished')
  } finally {
    if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL')
  }
})

test('the guide is found from the README, and its links lead somewhere', async () => {
  expect(await readFile(new URL('README.md', ROOT), 'utf8')).toContain('(docs/agent.md)')
  const links = [...GUIDE.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  const files = links.filter((link) => !link.startsWith('http'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect(existsSync(new URL(`docs/${file}`, ROOT)), file).toBe(true)
})

test('the guide has every command and every field of agent.json', async () => {
  const names = (await readdir(new URL('agent/cli', ROOT))).map((file) => file.replace('.ts', ''))
  const commandNames = names.filter((name) => !['command-line', 'data-dir', 'exit-codes', 'output'].includes(name))
  expect(commandNames.length).toBeGreaterThan(5)
  for (const name of commandNames) expect(GUIDE).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'))
  const config = await readFile(new URL('agent/config.ts', ROOT), 'utf8')
  const [, fields = ''] = /export interface AgentConfig \{(.*?)^\}/ms.exec(config) ?? []
  for (const [, name] of fields.matchAll(/^ {2}(\w+)\??:/gm)) expect(GUIDE).toMatch(new RegExp(`^\\| \`${name}\``, 'm'))
})
