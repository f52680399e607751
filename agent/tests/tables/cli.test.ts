import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultDataDir } from '../../cli/data-dir.ts'
import { formatLogLine } from '../../cli/terminal-log.ts'
import { checkOwner, icaclsArguments } from '../../private-directory.ts'
import { redact } from '../../support/redact.ts'

test.each([
  ['linux', {}, false, '/home/kim/.local/state/platen-agent'],
  ['linux', { XDG_STATE_HOME: '/state' }, false, '/state/platen-agent'],
  ['linux', { XDG_STATE_HOME: 'relative' }, false, '/home/kim/.local/state/platen-agent'],
  ['linux', {}, true, '/var/lib/platen-agent'],
  ['linux', { STATE_DIRECTORY: '/var/lib/agent:/other' }, false, '/var/lib/agent'],
  ['darwin', {}, false, '/home/kim/Library/Application Support/Platen'],
  ['darwin', {}, true, '/Library/Application Support/Platen'],
  ['win32', { ProgramData: 'D:\\Data' }, false, 'D:\\Data\\Platen'],
] as const)('on %s with %j, root: %s, the data directory is %s', (platform, env, isRoot, dir) => {
  expect(defaultDataDir({ platform, env, home: '/home/kim', isRoot })).toBe(dir)
})

test('a user without a home directory must name the data directory, unless the system or systemd has one', () => {
  const start = (platform: NodeJS.Platform, env = {}, isRoot = false) =>
    defaultDataDir({ platform, env, home: undefined, isRoot })
  for (const platform of ['linux', 'darwin'] as const) expect(() => start(platform)).toThrow(/no home.*--data-dir/)
  expect(start('linux', { STATE_DIRECTORY: '/state' })).toBe('/state')
  expect(start('linux', { XDG_STATE_HOME: '/state' })).toBe('/state/platen-agent')
  expect(start('linux', {}, true)).toBe('/var/lib/platen-agent')
  expect(start('win32')).toBe('C:\\ProgramData\\Platen')
})

test('on Windows only the system, administrators and the owner can access the data directory', () => {
  const grants = ['*S-1-5-18', '*S-1-5-32-544', 'kim'].map((user) => `${user}:(OI)(CI)F`)
  const dir = 'C:\\ProgramData\\Platen'
  expect(icaclsArguments(dir, 'kim')).toEqual([dir, '/inheritance:r', '/grant:r', ...grants])
})

test('on Windows a data directory of another user is refused', () => {
  const [kim, system, administrators] = ['S-1-5-21-1-2-3-1001', 'S-1-5-18', 'S-1-5-32-544']
  const dir = 'C:\\ProgramData\\Platen'
  for (const owner of [kim, system, administrators]) checkOwner(dir, owner, kim)
  for (const owner of ['S-1-5-21-1-2-3-1002', ''])
    expect(() => checkOwner(dir, owner, kim)).toThrow('it belongs to another account')
})

test('no guide, help text or message puts an enrolment token on a command line', () => {
  const cwd = join(import.meta.dirname, '../../..')
  const files = globSync(['README.md', 'docs/**/*.md', 'agent/{cli,packages}/**/*.{ts,sh,ps1}', 'agent/*.ts'], {
    cwd,
    exclude: (path) => /(^|\/)(tests|node_modules|dist)$/.test(path),
  })
  expect(files).toEqual(expect.arrayContaining(['docs/agent.md', 'agent/cli/command-line.ts', 'agent/config.ts']))
  const isUnsafe = (file: string) => /--token[ =](["'$<{A-Z]|platen_)/.test(readFileSync(join(cwd, file), 'utf8'))
  expect(files.filter(isUnsafe)).toEqual([])
})

test('tokens, credentials, keys and passwords in URLs are removed from texts', () => {
  const text = [
    'platen_agent_abc-DEF_1 platen_enroll_x "platen_live_y" platen_test_z',
    'Authorization: Bearer abc.def+/= and Basic dXNlcjpwYXNz',
    'http://user:p@ss@proxy:3128/ https://token@host',
    `acme_live_abcdefghijklmnopqrstuvwxyz whsec_abc/def+=`,
  ].join('\n')
  const redacted = redact(text)
  expect(redacted).not.toMatch(/abc|DEF|def|_x|_y|_z|dXNl|user|p@ss|ss@|token@/)
  expect(redacted).toContain('@proxy:3128/')
  expect(redact('nothing at all http://host/a@b')).toBe('nothing at all http://host/a@b')
})

test.each([
  [{ level: 'info', msg: 'connected', computer_id: 'x', heartbeat_ms: 20_000 }, 'connected'],
  [{ level: 'info', msg: 'printers reported', printers: 'Laser, Zebra' }, 'printers reported (printers Laser, Zebra)'],
  [
    { level: 'info', msg: 'job finished', job_id: 'x', printer: 'Zebra', state: 'error', message: 'No paper.', qty: 1 },
    'job finished (printer Zebra, state error, message No paper.)',
  ],
  [
    { level: 'warn', msg: 'listing printers failed', err: { message: 'CUPS does not run.', stack: 'at x' } },
    'WARNING: listing printers failed: CUPS does not run.',
  ],
])('a terminal shows the log line %j as a sentence', (line, sentence) => {
  const text = formatLogLine(`${JSON.stringify({ time: Date.parse('2026-03-02T09:30:05Z'), pid: 1, ...line })}\n`)
  expect(text).toMatch(/^\d\d:\d\d:05 {2}[^\n]*\n$/)
  expect(text.slice('00:00:05  '.length, -1)).toBe(sentence)
})
