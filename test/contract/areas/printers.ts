import { type Entry, entries, NOT_TESTED } from '../entry.ts'
import {
  agents,
  badInput,
  cupsCapabilities,
  cupsPrinter,
  deleteComputer,
  ENROLLED_TO_DELETED,
  FOUR_PRINTERS,
  judges,
  LISTS_HOLD_ONES_OWN,
  lists,
  NEXT_PAGE,
  OTHERS_ARE_404,
  PRINTER_SHOWN,
  patches,
  printJobLists,
  resources,
  updatePrinter,
} from '../named-tests.ts'

const GONE_AND_BACK = agents(
  'a printer that is missing from a report is gone, and back with its id when it is reported again',
)

const changed = (what: string) => patches(`${what} is changed, and the answer is the printer`)
const notChanged = (what: string) => patches(`is refused by name, and nothing is changed > ${what}`)
const CUPS_LASER = cupsCapabilities(
  'capabilities > of a driverless laser: the queue, and where that is lossy the device',
)

const STOPPED_OR_REJECTING = cupsPrinter('one that is stopped or rejects jobs is offline, and online again afterwards')

const PATCHED = updatePrinter('what is named is changed, the rest stays, and the answer is the printer as it is then')

const NOT_FOUND_IS_404 = resources('/v1/printers/01890a5d-ac96-774b-bcce-b302099a8057 does not exist')

export const PRINTERS: Entry[] = [
  ...entries('specification: Printer', [
    ['printer.id', 'A printer has `id`.', PRINTER_SHOWN],
    ['printer.computerId', 'A printer has `computerId`, the owning computer.', PRINTER_SHOWN],
    ['printer.name', 'A printer has `name`, as the agent reports it.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.osName', 'A printer has `osName`, the name known to the operating system.', PRINTER_SHOWN],
    ['printer.description', 'A printer has `description`, the description of the driver.', PRINTER_SHOWN],
    ['printer.displayName', 'A printer has `displayName`.', PRINTER_SHOWN],
    ['printer.remarks', 'A printer has `remarks`, null until somebody writes them.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.enabled', 'A printer has `enabled`.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.isDefault', 'A printer has `isDefault`.', PRINTER_SHOWN],
    ['printer.state', 'A printer has `state`.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.state.online', 'The state of a printer that is reported to work is `online`.', FOUR_PRINTERS],
    [
      'printer.state.offline',
      'The state of a printer that is reported not to work is `offline`.',
      agents('a printer that is reported not to work is offline, while its computer is online'),
    ],
    ['printer.stateDetail', 'A printer has `stateDetail`, which may be empty.', PRINTER_SHOWN],
    ['printer.capabilities', 'A printer has `capabilities`, as the driver reports them.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.defaultOptions', 'A printer has `defaultOptions`.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.customPapers', 'A printer has `customPapers`.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['printer.createdAt', 'A printer has `createdAt`.', PRINTER_SHOWN],
    ['printer.updatedAt', 'A printer has `updatedAt`.', PRINTER_SHOWN],
    ['capabilities.papers', '`papers` maps names to `[width, height]` in tenths of a millimetre.', PRINTER_SHOWN],
    ['capabilities.papers.no-height', 'The height of a roll is null.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['capabilities.papers.no-width', 'A width that the driver does not report is null.', NOT_TESTED],
    ['capabilities.bins', '`bins` is an array of strings.', FOUR_PRINTERS],
    ['capabilities.dpis', '`dpis` is an array of strings of the form `<x>x<y>`.', PRINTER_SHOWN],
    ['capabilities.medias', '`medias` is an array of strings.', FOUR_PRINTERS],
    ['capabilities.extent', '`extent` is `[[minWidth, minHeight], [maxWidth, maxHeight]]`.', FOUR_PRINTERS],
    ['capabilities.extent.null', '`extent` is null when custom sizes are not known.', PRINTER_SHOWN],
    ['capabilities.printrate', '`printrate` is an object with `rate` and `unit`.', FOUR_PRINTERS],
    ['capabilities.printrate.null', '`printrate` is null when it is not known.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['capabilities.duplex', '`duplex` is a boolean.', PRINTER_SHOWN, FOUR_PRINTERS],
    ['capabilities.color', '`color` is a boolean.', PRINTER_SHOWN],
    ['capabilities.collate', '`collate` is a boolean.', PRINTER_SHOWN],
    ['capabilities.copies', '`copies` is an integer.', PRINTER_SHOWN],
    ['capabilities.nup', '`nup` is an array of integers.', PRINTER_SHOWN],
    [
      'capabilities.supports_custom_paper_size',
      '`supports_custom_paper_size` is a boolean.',
      PRINTER_SHOWN,
      FOUR_PRINTERS,
    ],
  ]),
  ...entries('specification: Printers', [
    ['endpoint.GET /v1/printers', 'The printers of the organization and mode are listed.', FOUR_PRINTERS],
    ['printers.paged', 'The list of printers is paged.', NEXT_PAGE],
    ['endpoint.GET /v1/printers/{id}', 'A printer is read by its id.', FOUR_PRINTERS, PRINTER_SHOWN],
    [
      'printer.get.404',
      'A printer that does not exist is a 404.',
      badInput('what does not exist is a 404 > /v1/printers/01890a5d-ac96-774b-bcce-b302099a8057'),
    ],
    ['endpoint.PATCH /v1/printers/{id}', 'A PATCH answers the updated printer.', ENROLLED_TO_DELETED, PATCHED],
    ['printer.patch.displayName', 'PATCH changes `displayName`.', changed('displayName'), PATCHED],
    ['printer.patch.enabled', 'PATCH changes `enabled`.', changed('enabled'), PATCHED],
    ['printer.patch.remarks', 'PATCH changes `remarks`.', changed('remarks'), PATCHED],
    ['printer.patch.remarks.null', 'PATCH sets `remarks` to null.', changed('remarks null'), PATCHED],
    ['printer.patch.defaultOptions', 'PATCH changes `defaultOptions`.', changed('defaultOptions'), PATCHED],
    [
      'printer.patch.customPapers',
      'PATCH replaces the whole list of `customPapers`.',
      patches('`customPapers` are replaced as a whole'),
      PATCHED,
    ],
    [
      'printer.patch.one-field',
      'A PATCH of one field leaves the others.',
      PATCHED,
      updatePrinter('of changes of different fields at the same time each one stays'),
    ],
    ['printer.patch.read-only', 'A field that cannot be edited is a 400.', notChanged('a field that cannot be edited')],
    [
      'printer.patch.404',
      'A PATCH of a printer that does not exist is a 404.',
      patches('a printer that does not exist, or is of the other mode, is a 404'),
    ],
    ['printer.customPapers.50', '50 custom papers are accepted.', changed('customPapers of 50')],
    ['printer.customPapers.51', '51 custom papers are a 400.', notChanged('customPapers of 51')],
    [
      'printer.defaultOptions.unknown',
      'An unknown option in `defaultOptions` is a 400.',
      notChanged('an unknown option'),
    ],
    [
      'printer.defaultOptions.malformed',
      'A malformed option in `defaultOptions` is a 400.',
      notChanged('a malformed option'),
    ],
    [
      'endpoint.GET /v1/printers/{id}/printjobs',
      'The jobs of a printer are listed.',
      printJobLists("a printer's jobs > are those of this printer, and take no filters"),
      lists('jobs > of a printer are newest first, and paged'),
    ],
    [
      'printer.printjobs.paged',
      'The list of jobs of a printer is paged.',
      lists('jobs > of a printer are newest first, and paged'),
    ],
    [
      'printer.printjobs.order',
      'The jobs of a printer are newest first by default.',
      lists('jobs > of a printer are newest first, and paged'),
    ],
    [
      'printer.printjobs.404',
      'The jobs of a printer that does not exist are a 404.',
      printJobLists("a printer's jobs > are a 404 with the printer"),
      OTHERS_ARE_404,
    ],
    [
      'endpoint.GET /v1/computers/{id}/printers',
      'The printers of a computer are listed, paged.',
      deleteComputer("the list of a computer's printers has no others"),
      ENROLLED_TO_DELETED,
    ],
    ['computer.printers.404', 'The printers of a computer that does not exist are a 404.', ENROLLED_TO_DELETED],
  ]),
  ...entries('decisions: Conventions everywhere', [
    ['printer.displayName.0', 'An empty `displayName` is a 400.', notChanged('displayName of 0 characters')],
    ['printer.displayName.1', 'A `displayName` of 1 character is accepted.', changed('displayName of 1 character')],
    [
      'printer.displayName.255',
      'A `displayName` of 255 characters is accepted.',
      changed('displayName of 255 characters'),
    ],
    [
      'printer.displayName.256',
      'A `displayName` of 256 characters is a 400.',
      notChanged('displayName of 256 characters'),
    ],
    ['printer.remarks.0', 'Empty `remarks` are accepted.', changed('remarks of 0 characters')],
    ['printer.remarks.2000', '`remarks` of 2000 characters are accepted.', changed('remarks of 2000 characters')],
    ['printer.remarks.2001', '`remarks` of 2001 characters are a 400.', notChanged('remarks of 2001 characters')],
  ]),
  ...entries('decisions: Option values', [
    ['custom-paper.name', 'A custom paper has `name`.', changed('a custom paper with a name of 1 character')],
    ['custom-paper.name.0', 'A custom paper with an empty name is a 400.', notChanged('a paper with an empty name')],
    [
      'custom-paper.name.1',
      'A custom paper with a name of 1 character is accepted.',
      changed('a custom paper with a name of 1 character'),
    ],
    [
      'custom-paper.name.64',
      'A custom paper with a name of 64 characters is accepted.',
      changed('a custom paper with a name of 64 characters'),
    ],
    [
      'custom-paper.name.65',
      'A custom paper with a name of 65 characters is a 400.',
      notChanged('a paper with a name of 65 characters'),
    ],
    ['custom-paper.name.unique', 'Two custom papers of one name are a 400.', notChanged('two papers of one name')],
    [
      'custom-paper.width',
      'A custom paper has `width`, an integer in tenths of a millimetre.',
      notChanged('a width that is no integer'),
      ENROLLED_TO_DELETED,
    ],
    ['custom-paper.width.0', 'A width of 0 is a 400.', notChanged('a width of 0')],
    ['custom-paper.width.1', 'A width of 1 is accepted.', changed('a custom paper with a name of 1 character')],
    [
      'custom-paper.height',
      'A custom paper has `height`, an integer in tenths of a millimetre.',
      notChanged('a paper without a height'),
      ENROLLED_TO_DELETED,
    ],
    ['custom-paper.height.0', 'A height of 0 is a 400.', notChanged('a height of 0')],
    ['custom-paper.height.1', 'A height of 1 is accepted.', changed('a custom paper with a name of 1 character')],
    [
      'custom-paper.option',
      'The name of a custom paper is accepted as option `paper`.',
      judges('a custom paper is honoured, and its size goes along'),
      ENROLLED_TO_DELETED,
    ],
    [
      'custom-paper.wins',
      'A custom paper wins over a driver paper of the same name.',
      judges('a custom paper wins over a paper of the driver of the same name'),
    ],
  ]),
  ...entries('decisions: Computers and printers', [
    ['printer.same', 'The same `osName` on the same computer is the same printer.', GONE_AND_BACK],
    ['printer.same.other-computer', 'The same `osName` on another computer is another printer.', LISTS_HOLD_ONES_OWN],
    ['printer.removed.left-out', 'A printer that is missing from a complete report leaves the lists.', GONE_AND_BACK],
    ['printer.removed.404', 'A removed printer is a 404.', GONE_AND_BACK, NOT_FOUND_IS_404],
    ['printer.removed.jobs', 'The jobs of a removed printer stay readable.', GONE_AND_BACK],
    ['printer.back.id', 'A printer that comes back has its id again.', GONE_AND_BACK],
    [
      'printer.back.edited',
      'A printer that comes back has its edited fields again.',
      updatePrinter('a printer that comes back has its edited fields again'),
    ],
    [
      'printer.unknown',
      'While its computer is offline a printer is `unknown`.',
      agents('a clean shutdown is offline at once and leaves the printers unknown'),
    ],
    [
      'printer.out-of-paper',
      'Out of paper leaves a printer `online` with `stateDetail` set.',
      cupsPrinter('one without paper stays online and says so, until it is refilled'),
    ],
    [
      'printer.open-cover',
      'An open cover leaves a printer `online` with `stateDetail` set.',
      cupsCapabilities('states > with an open cover it is online and says so'),
    ],
    [
      'printer.stateReasons',
      'A printer has `stateReasons`, IPP keywords.',
      PRINTER_SHOWN,
      FOUR_PRINTERS,
      GONE_AND_BACK,
    ],
    ['printer.stopped', 'A stopped queue is `offline` with `printer-stopped`.', STOPPED_OR_REJECTING],
    ['printer.rejecting', 'A rejecting queue is `offline` with `printer-stopped`.', STOPPED_OR_REJECTING],
    ['printer.new.enabled', 'A new printer is enabled.', FOUR_PRINTERS],
    [
      'printer.patch.empty',
      'A PATCH with an empty object is a 200 and changes nothing.',
      patches('an empty object is a 200 and changes nothing'),
      ENROLLED_TO_DELETED,
    ],
    ['printer.cups.bins', '`bins` are IPP keywords on CUPS.', CUPS_LASER],
    ['printer.cups.medias', '`medias` are IPP keywords on CUPS.', CUPS_LASER],
  ]),
]
