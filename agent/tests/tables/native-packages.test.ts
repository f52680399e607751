/** Where packages with native code are loaded from. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadNative, resolveNative } from '../../spoolers/native-packages.ts'
import { makeDataDir } from '../start-agent.ts'

/** Creates a program in a directory in which another user created `node_modules`. */
function createProgram({ own = [], foreign = [] }: { own?: string[]; foreign?: string[] }): string {
  const parent = makeDataDir()
  const program = join(parent, 'Platen')
  const write = (dir: string, name: string, exported: string) => {
    const file = join(dir, 'node_modules', name, 'index.js')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, exported)
  }
  mkdirSync(join(program, 'node_modules'), { recursive: true })
  for (const name of own) write(program, name, 'module.exports = "own"')
  for (const name of foreign) write(parent, name, 'throw new Error("foreign code runs")')
  return program
}

test('native packages are loaded from the directory of the program', () => {
  const program = createProgram({ own: ['koffi', '@koromix/koffi'], foreign: ['koffi', '@koromix/koffi'] })
  expect(loadNative('koffi', program)).toBe('own')
  expect(resolveNative('@koromix/koffi', program)).toMatch(program)
})

test('native packages of parent directories are not loaded', () => {
  const program = createProgram({ foreign: ['koffi', '@koromix/koffi'] })
  for (const name of ['koffi', '@koromix/koffi'])
    expect(() => loadNative(name, program)).toThrow(`${name} is missing in ${join(program, 'node_modules')}`)
})

test('a native package that leads out of the directory of the program is not loaded', () => {
  const program = createProgram({ foreign: ['koffi'] })
  symlinkSync(join(dirname(program), 'node_modules/koffi'), join(program, 'node_modules/koffi'))
  expect(() => loadNative('koffi', program)).toThrow('koffi is missing')
})
