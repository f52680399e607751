import { type Entry, entries, missing, NOT_BUILT } from '../entry.ts'
import { FAILS, FOUR_PRINTERS, VIRTUAL_COMPUTER, WALKS, wholeJob } from '../named-tests.ts'

const raw = (printer: string) => wholeJob(`raw data for ${printer} is printed`)

export const TEST_MODE: Entry[] = [
  ...entries('specification: Computer', [
    ['test-mode.computer', 'Test mode has one virtual computer.', VIRTUAL_COMPUTER],
    ['test-mode.printers', 'Test mode has four virtual printers, and a test key sees them.', FOUR_PRINTERS],
    ['test-mode.laser', '`Test A4 Laser` is an A4 mono laser printer with duplex.', missing('only its name is tested')],
    [
      'test-mode.color',
      '`Test Letter Color` is a Letter colour printer with duplex.',
      missing('only its name is tested'),
    ],
    ['test-mode.receipt', '`Test Receipt 80mm` is an 80 mm receipt printer.', FOUR_PRINTERS],
    ['test-mode.receipt.raw', '`Test Receipt 80mm` takes raw ESC/POS.', raw('Test Receipt 80mm')],
    ['test-mode.label', '`Test Label 4x6` is a 4x6 inch label printer.', missing('only its name is tested')],
    ['test-mode.label.raw', '`Test Label 4x6` takes raw ZPL.', raw('Test Label 4x6')],
    [
      'test-mode.created',
      'The test printers are created the first time test mode is used.',
      missing('only one organization exists, which has them from the start'),
    ],
  ]),
  ...entries('specification: Print job states', [
    ['test-mode.walk', 'A test job walks from `queued` to `done` in about 3 seconds.', WALKS],
    ['test-mode.fail', 'A test job whose title contains `[fail]` ends in `error`.', FAILS],
    ['test-mode.fail.live', 'In live mode `[fail]` in a title means nothing.', NOT_BUILT],
  ]),
  ...entries('specification: What the service does', [
    ['test-mode.webhooks', 'Test mode has its own webhook endpoints.', NOT_BUILT],
  ]),
]
