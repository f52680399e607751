/** `npm run screenshots`: the pictures of `docs/images`, of the installation and the jobs that the tests use. */
import { mergeConfig } from 'vitest/config'
import tests from '../vitest.config.ts'

// The workers inherit it. Browsers treat `localhost` as encrypted, so no page has a warning.
process.env.PLATEN_TEST_PAGE_HOST = 'localhost'

const config = mergeConfig(tests, { test: { testTimeout: 600_000 } })
config.test.include = ['services/dashboard/tests/screenshots/screenshots.ts']

export default config
