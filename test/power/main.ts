/**
 * `npm run test:long -- power`: what the tests find. `--faults` brings past faults back, `--fault <name>` one of them; `--mutation` changes the
 * pure modules, `--module <part of a path>` some of them. Without an option it does both. Fails if a fault goes unnoticed or a module's score is too low.
 */
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { runFaults } from './run-faults.ts'
import { runMutation } from './run-mutation.ts'

const { values } = parseArgs({
  options: {
    faults: { type: 'boolean' },
    fault: { type: 'string' },
    mutation: { type: 'boolean' },
    module: { type: 'string' },
  },
})
const selected = FAULTS.filter(({ name }) => values.fault === undefined || name === values.fault)
if (selected.length === 0) throw new Error(`Unknown fault ${values.fault}.`)
const both = !values.faults && values.fault === undefined && !values.mutation && values.module === undefined
let passed = true
if (both || values.faults || values.fault !== undefined) passed = await runFaults(selected)
if (both || values.mutation || values.module !== undefined) passed = (await runMutation(values.module)) && passed
process.exitCode = passed ? 0 : 1
