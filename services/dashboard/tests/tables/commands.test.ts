import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { isWithoutTls, SYSTEMS } from '../../src/pages/add-computer/commands.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../../docs/agent-packages.md'), 'utf8')

afterEach(() => void vi.unstubAllGlobals())

/** The page has a token instead of a file. */
const toDocumented = (line: string) => line.replace(/^printf '%s' '\w+' \| (.+)$/, '$1 < token.txt')

test.each(['Linux', 'Docker'] as const)('the commands for %s are those of the documentation', (system) => {
  vi.stubGlobal('location', new URL('https://print.example.com'))
  expect(DOCS).toContain(SYSTEMS[system]('platen_enroll_1').split('\n').map(toDocumented).join('\n'))
})

test.each([
  ['http://192.168.1.5:8080', true],
  ['http://localhost:8080', false],
  ['http://[::1]:8080', false],
  ['https://print.example.com', false],
])('agents on other computers cannot enrol at %s: %s; no command permits it', (origin, isRefused) => {
  vi.stubGlobal('location', new URL(origin))
  expect(isWithoutTls()).toBe(isRefused)
  for (const command of Object.values(SYSTEMS)) {
    expect(command('t')).toContain(` --server ${origin} `)
    expect(command('t')).not.toContain('--insecure')
  }
})
