/** Changes the modules of `scores.json` with Stryker and counts the changes that a pure test notices. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { ROOT, withCopy } from './copy-commit.ts'
import SCORES from './scores.json' with { type: 'json' }

const STRYKER = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const CONFIG = 'test/power/stryker.config.json'
/** Points by which a score may fall below that of `scores.json`: mutants come and go with each change of a module. */
export const TOLERANCE = 1

const TRIED = ['Killed', 'Timeout', 'Survived', 'NoCoverage']

interface Mutant {
  status: string
  mutatorName: string
  replacement: string
  location: { start: { line: number } }
}

interface Report {
  files: Record<string, { mutants: Mutant[] }>
}

/** @param part of the paths of the modules. @returns whether all have their scores. */
export async function runMutation(part = ''): Promise<boolean> {
  const scores = new Map(Object.entries(SCORES.modules).filter(([file]) => file.includes(part)))
  if (scores.size === 0) throw new Error(`No module of scores.json has ${part} in its path.`)
  const { files } = await withCopy(async (copy, scratch): Promise<Report> => {
    // Stryker changes nothing inside an `as` expression, for example in a table `as const`.
    for (const file of scores.keys()) {
      const source = await readFile(join(copy, file), 'utf8')
      await writeFile(join(copy, file), stripTypeScriptTypes(source))
    }
    const env = { ...process.env, TMPDIR: scratch }
    const stryker = spawn(process.execPath, [STRYKER, 'run', CONFIG, '--mutate', [...scores.keys()].join()], {
      cwd: copy,
      stdio: 'inherit',
      env,
    })
    await once(stryker, 'exit')
    return JSON.parse(await readFile(join(copy, 'mutation.json'), 'utf8'))
  })
  let passed = true
  const unnoticed: string[] = []
  console.log('\n| module | changes | noticed | score | required |\n| - | - | - | - | - |')
  for (const [file, required] of scores) {
    const mutants = (files[file]?.mutants ?? []).filter(({ status }) => TRIED.includes(status))
    const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    const score = (100 * (mutants.length - survivors.length)) / mutants.length
    // A module without mutants fails as well, for example a deleted one.
    if (!(score >= required - TOLERANCE)) passed = false
    console.log(
      `| ${file} | ${mutants.length} | ${mutants.length - survivors.length} | ${score.toFixed(1)} % | ${required} % |`,
    )
    for (const { mutatorName, replacement, location } of survivors)
      unnoticed.push(`${file}:${location.start.line} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 120)}`)
  }
  console.log(`\nNot noticed:\n${unnoticed.toSorted().join('\n')}`)
  return passed
}
