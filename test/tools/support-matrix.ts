/**
 * Writes docs/support-matrix.md from support-matrix.yaml with `--write`. Without it, as one of `npm run check`, fails
 * if the page differs, or if a proof names an npm script, a long test or a path that does not exist, or a test that a
 * release does not run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { LONG_TESTS } from '../long-tests.ts'
import { wrap } from './wrap-markdown.ts'

interface Row {
  what: string
  status: 'proven' | 'not run' | 'not built'
  /** The test of a proven row. */
  by?: string
  /** "each change", "each release", or the date of a run by hand. */
  when?: string
  note?: string
}

interface Group {
  title: string
  note?: string
  rows: Row[]
}

const ROOT = join(import.meta.dirname, '../..')
const PAGE = join(ROOT, 'docs/support-matrix.md')
const WHEN = /^(each change|each release|\d{4}-\d\d-\d\d)$/

const HEAD = `# Support matrix

<!-- Generated from support-matrix.yaml by \`node test/tools/support-matrix.ts --write\`. -->

What is **proven**, by which command and when; what is **built but has never run there**; and what is **not built**.
"Each change" is a part of \`.ci/run\`, "each release" of the [release](development/release.md); a date is that of
a run by hand.
`

const STATUS = { proven: '**proven**', 'not run': 'built, never run there', 'not built': 'not built' }

const groups: Group[] = parse(readFileSync(join(ROOT, 'docs/support-matrix.yaml'), 'utf8'))
const faults = groups.flatMap(({ rows }) => rows.flatMap(findFaults))
for (const fault of faults) console.error(`docs/support-matrix.yaml: ${fault}`)

const page = wrap([HEAD, ...groups.map(toSection)].join('\n'))
if (process.argv.includes('--write')) writeFileSync(PAGE, page)
else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/support-matrix.md is not up to date. Run `node test/tools/support-matrix.ts --write`.')
  process.exitCode = 1
}
if (faults.length > 0) process.exitCode = 1

function findFaults({ what, status, by, when }: Row): string[] {
  if (!(status in STATUS)) return [`"${what}": the status must be ${Object.keys(STATUS).join(', ')}.`]
  if (status !== 'proven') return by || when ? [`"${what}": only a proven row has \`by\` and \`when\`.`] : []
  if (!by || !WHEN.test(String(when)))
    return [`"${what}": a proven row needs \`by\`, and \`when\` as the head of the file says.`]
  const scripts = [...by.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  const paths = [...by.matchAll(/`((?:agent|deploy|helm|services|test)\/[^` ]+)`/g)].map(([, path = '']) => path)
  const long = [...by.matchAll(/test:long -- (\w+)/g)].map(([, name = '']) => name)
  return [
    ...long.filter((name) => !LONG_TESTS[name]).map((name) => `"${what}": no long test is called ${name}.`),
    ...long
      .filter((name) => when === 'each release' && !LONG_TESTS[name]?.release)
      .map((name) => `"${what}": a release does not run ${name}.`),
    ...scripts
      .filter((name) => !(name in manifest.scripts))
      .map((name) => `"${what}": no npm script is called ${name}.`),
    ...paths.filter((path) => !existsSync(join(ROOT, path))).map((path) => `"${what}": ${path} does not exist.`),
  ]
}

function toSection({ title, note, rows }: Group): string {
  const lines = rows.map(({ what, status, by = '', when = '', note: remark = '' }) =>
    `| ${[what, STATUS[status], by, when, remark].join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |'),
  )
  return [
    `## ${title}`,
    '',
    ...(note ? [note, ''] : []),
    '| what | status | by | when | note |',
    '| - | - | - | - | - |',
    ...lines,
    '',
  ].join('\n')
}
