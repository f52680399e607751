/** `docs/agent.md` is true: what it tells a newcomer to run is taken from the file itself, and run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whyNoCups } from '../cups/find-cups.ts'
import { startCups, type TestCups } from '../cups/start-cups.ts'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'

const ROOT = new URL('../../', import.meta.url)
const GUIDE = await readFile(new URL('docs/agent.md', ROOT), 'utf8')

const NO_CUPS = await whyNoCups()

let platen: Platen
let directory: string
let cups: TestCups | undefined

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platen-guide-'))
  await writeFile(join(directory, 'document.pdf'), makePdf('Hello'))
  platen = await startPlaten()
  if (!NO_CUPS) cups = await startCups()
})

afterAll(async () => {
  await cups?.stop()
  await platen.stop()
  await removeDataDir(platen.dataDir)
  await rm(directory, { recursive: true })
})

/** The commands of the guide for this installation, with everything that they write in a directory of the test's own. */
function commands(spooler: '' | ' --spooler virtual'): string {
  const blocks = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code)
  const script = blocks.join('\n')
  const { baseUrl, liveKey } = platen.credentials
  const changes: [string, string][] = [
    ['=http://localhost:8080\n', `=${baseUrl}\n`],
    ['=platen_live_…\n', `=${liveKey}\n`],
    ['--token "$TOKEN"\n', `--token "$TOKEN"${spooler}\n`],
    ['npm run -s agent --', `npm --prefix '${ROOT.pathname}' run -s agent --`],
    ['support-bundle\n', `support-bundle --output '${join(directory, 'bundle.tar.gz')}'\n`],
  ]
  for (const [from] of changes) expect(script).toContain(from)
  return changes.reduce((all, [from, to]) => all.replace(from, to), script)
}

/** @returns what the commands printed, line by line, and the job's id. */
async function follow(script: string, env: NodeJS.ProcessEnv): Promise<{ lines: string[]; id: string }> {
  // In a group of its own, which has the agent in it: what the guide leaves running ends with the test.
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `${script}\necho "$JOB"`], {
    cwd: directory,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = text(shell.stdout)
  const errors = text(shell.stderr)
  try {
    const [code] = await once(shell, 'exit')
    process.kill(-(shell.pid ?? 0))
    expect([code, await errors]).toEqual([0, ''])
    const lines = (await output).trimEnd().split('\n')
    return { id: lines.pop() ?? '', lines }
  } finally {
    if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL')
  }
}

async function expectPrinted({ lines, id }: { lines: string[]; id: string }): Promise<void> {
  expect(lines).toContain('done')
  expect(lines).toContain('Nothing is wrong.')
  expect(lines.join('\n')).toMatch(/connected since/)
  const api = createApi(platen.credentials.baseUrl, platen.credentials.liveKey)
  expect(await api.getJob(id)).toMatchObject({ state: 'done', title: 'Hello', mode: 'live' })
  expect(await readFile(join(directory, 'agent.out'), 'utf8')).toContain('job finished')
}

test.skipIf(NO_CUPS)(
  'the commands of the guide lead from nothing to paper on CUPS, and to a bundle for helpers',
  async () => {
    const { server = '', laser } = cups ?? {}
    await cups?.run('lpadmin', '-d', 'A4_Laser')
    const env = { STATE_DIRECTORY: join(directory, 'on-cups'), CUPS_SERVER: server }
    // The guide takes the first printer of the list; here the one that takes paper.
    const script = commands('').replace("'.data[0].id'", `'.data[] | select(.osName == "A4_Laser").id'`)
    const printed = await follow(script, env)
    expect(printed.lines.join('\n')).toMatch(/^A4_Laser .*default/m)
    await expectPrinted(printed)
    expect(laser?.printed()).toHaveLength(1)
  },
)

test('where there is no printer, the virtual ones keep what they are sent', async () => {
  const script = commands(' --spooler virtual').replace('platen-agent printers', 'true')
  await expectPrinted(await follow(script, { STATE_DIRECTORY: join(directory, 'virtual') }))
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
  const commandNames = names.filter(
    (name) => !['command-line', 'data-dir', 'exit-codes', 'options', 'output'].includes(name),
  )
  expect(commandNames.length).toBeGreaterThan(5)
  for (const name of commandNames) expect(GUIDE).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'))
  const config = await readFile(new URL('agent/config.ts', ROOT), 'utf8')
  const [, fields = ''] = /export interface AgentConfig \{(.*?)^\}/ms.exec(config) ?? []
  for (const [, name] of fields.matchAll(/^ {2}(\w+)\??:/gm)) expect(GUIDE).toMatch(new RegExp(`^\\| \`${name}\``, 'm'))
})
