import { existsSync } from 'node:fs'

const CANDIDATES = [process.env.PLATEN_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome']

/** Undefined: the tests are skipped. */
export const chromiumPath = CANDIDATES.find((path) => path && existsSync(path))
