import { type Entry, entries } from '../entry.ts'
import {
  FAILS,
  FOUR_PRINTERS,
  testComputers,
  VIRTUAL_COMPUTER,
  virtualSpooler,
  WALKS,
  wholeEndpoints,
  wholeJob,
  wholeTestMode,
} from '../named-tests.ts'

const raw = (printer: string) => wholeJob(`raw data for ${printer} is printed`)

const FIRST_REQUEST = wholeTestMode(
  'the very first request of test mode shows the four virtual printers, online, each as what it behaves like',
)
const madeByFirstList = (of: 'printers' | 'computers') =>
  testComputers(
    `the first list of ${of} in test mode makes the test computer with its four printers, and the next ones nothing more`,
  )

export const TEST_MODE: Entry[] = [
  ...entries('specification: Computer', [
    [
      'test-mode.computer',
      'Test mode has one virtual computer.',
      VIRTUAL_COMPUTER,
      testComputers('of first lists at the same time, by two replicas, one makes the computer and all show it whole'),
    ],
    [
      'test-mode.printers',
      'Test mode has four virtual printers, and a test key sees them.',
      FOUR_PRINTERS,
      FIRST_REQUEST,
    ],
    ['test-mode.laser', '`Test A4 Laser` is an A4 mono laser printer with duplex.', FIRST_REQUEST],
    ['test-mode.color', '`Test Letter Color` is a Letter colour printer with duplex.', FIRST_REQUEST],
    ['test-mode.receipt', '`Test Receipt 80mm` is an 80 mm receipt printer.', FOUR_PRINTERS, FIRST_REQUEST],
    ['test-mode.receipt.raw', '`Test Receipt 80mm` takes raw ESC/POS.', raw('Test Receipt 80mm')],
    ['test-mode.label', '`Test Label 4x6` is a 4x6 inch label printer.', FIRST_REQUEST],
    ['test-mode.label.raw', '`Test Label 4x6` takes raw ZPL.', raw('Test Label 4x6')],
    [
      'test-mode.created',
      'The test printers are created the first time test mode is used.',
      FIRST_REQUEST,
      madeByFirstList('printers'),
      madeByFirstList('computers'),
      testComputers('a list of live mode makes nothing'),
    ],
  ]),
  ...entries('specification: Print job states', [
    ['test-mode.walk', 'A test job walks from `queued` to `done` in about 3 seconds.', WALKS],
    ['test-mode.fail', 'A test job whose title contains `[fail]` ends in `error`.', FAILS],
    [
      'test-mode.fail.live',
      'In live mode `[fail]` in a title means nothing.',
      wholeTestMode('in live mode [fail] in a title means nothing, not even to a virtual printer'),
      virtualSpooler('in live mode [fail] in a title means nothing'),
    ],
  ]),
  ...entries('specification: What the service does', [
    [
      'test-mode.webhooks',
      'Test mode has its own webhook endpoints.',
      wholeEndpoints('there may be 20 endpoints in a mode; those of the other one do not count, and are a 404'),
    ],
  ]),
]
