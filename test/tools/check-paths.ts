/**
 * Part of `npm run check`: fails if a list of paths has one that no longer exists, if `kept.json` has a condition that
 * no longer exists, or if the patch of a past fault no longer applies. The tests that read these lists run for hours,
 * or leave a moved file out.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULTS } from '../power/faults.ts'
import { APPLY, toPatch } from '../power/run-faults.ts'
import { hasKey, KEPT } from '../power/sql/kept.ts'
import { markStatements } from '../power/sql/mark-statements.ts'

process.chdir(join(import.meta.dirname, '../..'))

const LISTS = [
  'biome.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'test/tools/checks.ts',
  'test/long-tests.ts',
  'test/power/scores.json',
  'test/power/sql/kept.json',
  'test/power/stryker.config.json',
  'test/power/vitest.config.ts',
]
/** A path from the root, its begin, or a pattern of paths, in quotes or as an argument. */
const PATH =
  /(?<=["'\s,])(?:agent|clients|deploy|docs|helm|proto|services|test)\/[\w./*{},-]*[\w}](?:\/\*\*)?(?=["'\s])/g
/** A module of `survivors.md`, by the end of its path. */
const MODULE = /^\| `([^`]+\.ts)`/gm
const exclude = (path: string) => path.includes('node_modules')
const exists = (pattern: string) => globSync([pattern, `${pattern}*`], { exclude }).length > 0

const findAll = (file: string, pattern: RegExp) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([all, group = all]): [string, string] => [file, group])

const listed = [
  ...LISTS.flatMap((file) => findAll(file, PATH)),
  ...findAll('test/power/survivors.md', MODULE).map(([file, end]): [string, string] => [file, `**/${end}`]),
  ...FAULTS.flatMap(({ noticedBy }) => noticedBy).map((name): [string, string] => [
    'test/power/faults.ts',
    `**/${name}.test.ts`,
  ]),
]
for (const [file, path] of listed)
  for (const one of expand(path)) if (!exists(one)) fail(`${file}: ${one} does not exist.`)

for (const [path, reasons] of Object.entries(KEPT)) {
  if (!exists(path)) continue
  const { mutants } = markStatements({
    path,
    source: readFileSync(path, 'utf8'),
    service: '',
    firstId: 0,
    isTried: () => true,
  })
  for (const key of Object.keys(reasons))
    if (!mutants.some((mutant) => hasKey(mutant, path, key)))
      fail(`test/power/sql/kept.json: ${path} has no condition ${key}.`)
}

const patches = FAULTS.map(({ name }) => toPatch(name))
for (const patch of globSync('test/power/faults/*.patch'))
  if (!patches.includes(join(process.cwd(), patch))) fail(`${patch} is not in test/power/faults.ts.`)
for (const patch of patches) {
  const { status, stderr } = spawnSync('git', [...APPLY, '--check', patch], { encoding: 'utf8' })
  if (status !== 0) fail(`${patch} does not apply: ${stderr}`)
}

/** @returns a path for each alternative of the braces, because a pattern finds the others if one of them is gone. */
function expand(path: string): string[] {
  const [, before, alternatives, after] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(path) ?? []
  return alternatives?.split(',').flatMap((one) => expand(`${before}${one}${after}`)) ?? [path]
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
