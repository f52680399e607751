/**
 * `npm run test:long -- power`: what the tests find. `--faults` brings past faults back, `--fault <name>` one of them;
 * `--mutation` changes the pure modules; `--sql` takes conditions of SQL away. `--module <part of a path>` selects
 * files of these two, and `--sample <percent>` a part of the conditions, always the same ones. `--again` tries only the
 * conditions that the last run did not notice, `--tests <path>` only with the tests of a file, several times for
 * several files. Without an option it does all. Fails if a fault goes unnoticed or a score is too low.
 */
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { runFaults } from './run-faults.ts'
import { runMutation } from './run-mutation.ts'
import { runSql } from './sql/run-sql.ts'

const { values } = parseArgs({
  options: {
    faults: { type: 'boolean' },
    fault: { type: 'string' },
    mutation: { type: 'boolean' },
    sql: { type: 'boolean' },
    module: { type: 'string' },
    sample: { type: 'string', default: '100' },
    again: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
  },
})
const selected = FAULTS.filter(({ name }) => values.fault === undefined || name === values.fault)
if (selected.length === 0) throw new Error(`Unknown fault ${values.fault}.`)
const all = !values.faults && values.fault === undefined && !values.mutation && !values.sql
let passed = true
if ((all && values.module === undefined) || values.faults || values.fault !== undefined)
  passed = await runFaults(selected)
if (all || values.mutation) passed = (await runMutation(values.module)) && passed
const { module: part = '', sample, again: isAgain, tests } = values
if (all || values.sql) passed = (await runSql({ part, percent: Number(sample), isAgain, tests })) && passed
process.exitCode = passed ? 0 : 1
