import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { detectSystem, isLocal, isWithoutTls, WAYS, type Way } from '../../src/pages/add-computer/commands.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../../docs/agent-packages.md'), 'utf8')
const ways: Way[] = Object.values(WAYS)

afterEach(() => void vi.unstubAllGlobals())

/** The page has a token and a version. */
const toDocumented = (line: string) =>
  line.replace(/^printf '%s' '\w+' \| (.+)$/, '$1 < token.txt').replaceAll('1.2.3', 'VERSION')

test.each(['Linux', 'macOS', 'Windows', 'Docker'] as const)(
  'the commands for %s are those of the documentation',
  (system) => {
    vi.stubGlobal('location', new URL('https://print.example.com'))
    const { command }: Way = WAYS[system]
    expect(DOCS).toContain(command('platen_enroll_1', '1.2.3').split('\n').map(toDocumented).join('\n'))
  },
)

test('this computer is enrolled and its agent started by one line', () => {
  vi.stubGlobal('location', new URL('http://localhost:8080'))
  expect(WAYS['This computer'].command('t')).toBe(
    "printf '%s' 't' | npm run -s agent -- enroll --server http://localhost:8080 --token-file - && npm run agent -- run",
  )
})

test('the token is on no command line', () => {
  vi.stubGlobal('location', new URL('https://print.example.com'))
  // `printf` is a part of the shell and no process.
  for (const { command, asksForToken } of ways)
    expect(
      command('platen_enroll_1', '1').replace("printf '%s' 'platen_enroll_1'", asksForToken ? 'none' : ''),
    ).not.toContain('platen_enroll_1')
})

test.each([
  ['http://192.168.1.5:8080', true, false],
  ['http://localhost:8080', false, true],
  ['http://[::1]:8080', false, true],
  ['https://print.example.com', false, false],
])(
  'agents on other computers cannot enrol at %s: %s, because it is local: %s; no command permits it',
  (origin, isRefused, isOwn) => {
    vi.stubGlobal('location', new URL(origin))
    expect([isWithoutTls(), isLocal()]).toEqual([isRefused, isOwn])
    for (const { command } of ways) {
      expect(command('t', '1')).not.toContain('--insecure')
      expect(command('t', '1')).toContain(origin)
    }
  },
)

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/143.0', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 'macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0', 'Linux'],
])('the system of %s is %s', (userAgent, system) => {
  expect(detectSystem(userAgent)).toBe(system)
})
