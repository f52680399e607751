/** `npm run screenshots`: the pictures of `docs/images`, of the installation and the jobs that the tests use. */
import { mergeConfig } from 'vitest/config'
import tests from '../vitest.config.ts'

const config = mergeConfig(tests, { test: { testTimeout: 600_000 } })
config.test.include = ['services/dashboard/tests/screenshots/screenshots.ts']

export default config
