import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WAYS, type Way } from '@platen/resources/agent-commands.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { detectSystem, isLocal, isWithoutTls } from '../../src/features/devices/add-computer/commands.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../../docs/agent-packages.md'), 'utf8')
const ways: Way[] = Object.values(WAYS)
const VALUES = {
  server: 'https://print.example.com',
  token: 'platen_enroll_1',
  version: '1.2.3',
  allowsNetworkPrinters: true,
}

afterEach(() => void vi.unstubAllGlobals())

/** The page has a token and a version. */
const toDocumented = (line: string) =>
  line.replace(/^printf '%s' '\w+' \| (.+)$/, '$1 < token.txt').replaceAll('1.2.3', 'VERSION')

test.each(['Linux', 'macOS', 'Windows', 'Docker'] as const)(
  'the commands for %s are those of the documentation',
  (system) => {
    const { command }: Way = WAYS[system]
    expect(DOCS).toContain(command(VALUES).split('\n').map(toDocumented).join('\n'))
  },
)

test('this computer is enrolled and its agent started by one line', () => {
  const values = { ...VALUES, server: 'http://localhost:8080', token: 't' }
  expect(WAYS['This computer'].command(values)).toBe(
    "printf '%s' 't' | npm run -s agent -- enroll --server http://localhost:8080 --token-file - --allow-network-printers && npm run agent -- run",
  )
})

test('each command permits network printers only if the person has chosen it', () => {
  const flag = / (--allow-network-printers|-AllowNetworkPrinters)/
  for (const { command } of ways) {
    expect(command(VALUES)).toMatch(flag)
    expect(command({ ...VALUES, allowsNetworkPrinters: false })).toBe(command(VALUES).replace(flag, ''))
  }
})

test('the token is on no command line', () => {
  // `printf` is a part of the shell and no process.
  for (const { command, asksForToken } of ways)
    expect(command(VALUES).replace("printf '%s' 'platen_enroll_1'", asksForToken ? 'none' : '')).not.toContain(
      'platen_enroll_1',
    )
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
      expect(command({ ...VALUES, server: origin })).not.toContain('--insecure')
      expect(command({ ...VALUES, server: origin })).toContain(origin)
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
