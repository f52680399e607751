import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { IppConnectionError, IppError } from '../../ipp/ipp-error.ts'
import { explainCupsFailure, type Surroundings } from '../../spoolers/cups/explain-failure.ts'
import { isRelevant, SpoolerProblem } from '../../spoolers/spooler-problem.ts'

const cannotConnect = (code?: string) =>
  new IppConnectionError('CUPS cannot be reached', false, code && Object.assign(new Error('connect'), { code }))
const paths = (...existing: string[]) => ({ exists: (path: string) => existing.includes(path) })

test.each<[string, unknown, Partial<Surroundings>, string, RegExp]>([
  [
    'without a program of CUPS, with the command of the distribution',
    cannotConnect('ECONNREFUSED'),
    paths('/usr/bin/apt-get'),
    'not-installed',
    /^CUPS is not installed on vm: `sudo apt install cups`, or add a network printer, which needs no CUPS\.$/,
  ],
  ['on Fedora', cannotConnect('ECONNREFUSED'), paths('/usr/bin/dnf'), 'not-installed', /`sudo dnf install cups`/],
  ['on an unknown distribution', cannotConnect('ENOENT'), paths(), 'not-installed', /on vm: install it, or add/],
  [
    'that is installed and stopped',
    cannotConnect('ECONNREFUSED'),
    paths('/usr/sbin/cupsd', '/usr/bin/apt-get'),
    'not-running',
    /^CUPS does not run on vm: `sudo systemctl start cups`, or add/,
  ],
  [
    'that is stopped on macOS',
    cannotConnect('ENOENT'),
    { ...paths('/usr/sbin/cupsd'), platform: 'darwin' },
    'not-running',
    /`sudo launchctl start org\.cups\.cupsd`/,
  ],
  ['whose socket is not permitted', cannotConnect('EACCES'), paths(), 'no-permission', /cupsd\.conf/],
  [
    'that refuses the user',
    new IppError('client-error-forbidden', 'refused'),
    paths(),
    'no-permission',
    /on vm does not/,
  ],
  [
    'that does not answer',
    cannotConnect(),
    paths('/usr/sbin/cupsd'),
    'not-responding',
    /on vm does not answer: restart/,
  ],
  [
    'on another computer',
    cannotConnect('ECONNREFUSED'),
    { ...paths(), server: 'printserver:631' },
    'not-responding',
    /^The CUPS of CUPS_SERVER, printserver:631, does not answer vm/,
  ],
])('a CUPS %s is a problem with its remedy', (_, error, surroundings, code, message) => {
  proves(`agent.spooler.${code}`)
  const problem = explainCupsFailure(error, { platform: 'linux', host: 'vm', server: '', ...surroundings })
  expect(problem).toBeInstanceOf(SpoolerProblem)
  expect(problem).toMatchObject({ code, message: expect.stringMatching(message), cause: error })
})

test('another error is unchanged, and a computer with printers needs no CUPS', () => {
  const error = new Error('a defect')
  expect(explainCupsFailure(error)).toBe(error)
  const problem = new SpoolerProblem('not-installed', 'CUPS is not installed.')
  expect([isRelevant(problem, 0), isRelevant(problem, 1)]).toEqual([true, false])
  expect(isRelevant(new SpoolerProblem('not-running', 'CUPS does not run.'), 1)).toBe(true)
})
