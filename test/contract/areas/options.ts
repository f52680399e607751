import { type Entry, entries, missing } from '../entry.ts'
import {
  ACCEPTED,
  cupsSpooler,
  ENROLLED_TO_DELETED,
  judges,
  refused,
  request,
  windowsPdf,
  windowsSpooler,
} from '../named-tests.ts'

const wellFormed = (options: string) => request(`options > ${options} is well-formed`)
const malformed = (options: string) => request(`options > ${options} is not`)
const pages = (list: string) => wellFormed(`{"pages":"${list}"}`)
const noPages = (list: string) => malformed(`{"pages":"${list}"}`)
const TEXTS = wellFormed('{"bin":"tray-1","paper":"A4","media":"Labels","dpi":"300"}')
const BOOLEANS = wellFormed('{"fit_to_page":false,"color":true,"collate":true}')
const NULL = [
  wellFormed('{"bin":null,"copies":null,"duplex":null,"paper":null,"pages":null,"rotate":null}'),
  wellFormed('{"fit_to_page":null,"color":null,"dpi":null,"media":null,"collate":null,"nup":null}'),
] as const

const honoured = (options: string) => judges(`what the printer offers is honoured > ${options}`)
const dropped = (options: string) => judges(`what it does not offer is dropped with a warning > ${options}`)
const WINDOWS_SETTINGS = windowsSpooler('the driver is asked for paper, bin, colour and sides')
const WINDOWS_TURNS = [
  windowsPdf('a quarter turns it clockwise: its lower left corner comes to lie at the upper left'),
  windowsPdf(
    'a page that lies across the sheet is turned when it would not fit; rotate 90 and 270 turn it as they say',
  ),
] as const
const EITHER_TOLD_OR_NAMED = judges(
  'each option that is not null is either told to the agent or named in the warning, and never both',
)

const ANGLES = [
  wellFormed('{"rotate":0}'),
  wellFormed('{"rotate":90}'),
  wellFormed('{"rotate":180}'),
  wellFormed('{"rotate":270}'),
] as const

const onCups = (title: string) => cupsSpooler(`CUPS > ${title}`)
const TOLD_TO_DEVICE = onCups('tells the device what was asked for, and the driver what was dropped')
const SCALES = onCups('makes pages smaller that are larger than the sheet, and others only when they shall fill it')
const turns = (degrees: number) =>
  onCups(`turns pages by ${degrees} degrees clockwise as the reader of the sheet sees them, upright and landscape ones`)
const TURNS = [turns(90), turns(180), turns(270)] as const
const collates = (collate: boolean) => onCups(`lays copies set by set or page by page: collate ${collate}`)
const COLLATES = [collates(true), collates(false)] as const

export const OPTIONS: Entry[] = [
  ...entries('specification: Print options', [
    ['options.optional', 'Every option is optional.', request('what may be left out has its default')],
    ['options.unknown', 'An unknown option is a 400.', refused('an option is unknown')],
    [
      'options.unknown.named',
      'The refusal of an unknown option names it.',
      request('a wrong form is refused by name > options: {"stapled":true}'),
    ],
    [
      'options.defaults',
      "An omitted option is filled from the printer's defaults.",
      judges('an omitted option is filled from the defaults, and one that was asked for wins over them'),
      ENROLLED_TO_DELETED,
    ],
    [
      'options.unsupported.dropped',
      'An option that the printer does not support is dropped and the job goes on.',
      ENROLLED_TO_DELETED,
      judges('what it does not offer is dropped with a warning > {"color":true} of a plain printer'),
    ],
    [
      'options.unsupported.warning',
      '`stateMessage` names what was dropped.',
      ENROLLED_TO_DELETED,
      EITHER_TOLD_OR_NAMED,
    ],
    [
      'options.value.dropped',
      'A value that the printer cannot honour is dropped and the job goes on.',
      ENROLLED_TO_DELETED,
      EITHER_TOLD_OR_NAMED,
    ],
    [
      'options.value.warning',
      '`stateMessage` names the value that was dropped.',
      ENROLLED_TO_DELETED,
      dropped('{"bin":"tray-2"}'),
    ],
    [
      'option.bin.offered',
      'A `bin` that is not in `capabilities.bins` is dropped with a warning.',
      dropped('{"bin":"tray-2"}'),
    ],
    [
      'option.dpi.offered',
      'A `dpi` that is not in `capabilities.dpis` is dropped with a warning.',
      dropped('{"dpi":"1200"}'),
    ],
    [
      'option.media.offered',
      'A `media` that is not in `capabilities.medias` is dropped with a warning.',
      dropped('{"media":"Labels"}'),
    ],
    ['option.paper.offered', 'A `paper` that is in neither list is dropped with a warning.', dropped('{"paper":"a4"}')],
    [
      'option.paper.custom',
      'A `paper` out of `customPapers` is honoured.',
      judges('a custom paper is honoured, and its size goes along'),
    ],
    [
      'option.copies.offered',
      '`copies` over `capabilities.copies` is dropped with a warning.',
      dropped('{"copies":6}'),
    ],
    ['option.copies.largest', '`copies` of `capabilities.copies` is honoured.', honoured('{"copies":5}')],
    [
      'option.nup.offered',
      'A `nup` that is not in `capabilities.nup` is dropped with a warning.',
      dropped('{"nup":4}'),
    ],
    ['platform.nup.cups', '`nup` works on macOS and Linux.', onCups('puts several pages on a side')],
    [
      'platform.dpi.cups',
      '`dpi` applies on macOS and Linux.',
      onCups('tells the driver the resolution, where it has a choice of it'),
    ],
    ['platform.media.cups', '`media` applies on macOS and Linux.', TOLD_TO_DEVICE],
    ['platform.collate.cups', '`collate` applies on macOS and Linux.', ...COLLATES],
    [
      'platform.nup.windows',
      'On Windows `nup` is ignored with a warning.',
      judges('on Windows > {"nup":2} is ignored with a warning'),
    ],
    [
      'platform.dpi.windows',
      'On Windows `dpi` of a PDF job is ignored with a warning.',
      judges('on Windows > {"dpi":"300x300"} is ignored with a warning'),
    ],
    [
      'platform.media.windows',
      'On Windows `media` of a PDF job is ignored with a warning.',
      judges('on Windows > {"media":"labels"} is ignored with a warning'),
    ],
    [
      'platform.collate.windows',
      'On Windows `collate` of a PDF job is ignored with a warning.',
      judges('on Windows > {"collate":true} is ignored with a warning'),
    ],
    [
      'platform.pages.windows',
      'On Windows `pages` is honoured.',
      windowsSpooler('of a PDF the pages that were asked for are drawn, each once, and a set for each of qty'),
    ],
    [
      'platform.copies.windows',
      'On Windows `copies` is honoured.',
      windowsSpooler('one page is printed qty times copies by the driver'),
    ],
    [
      'platform.fit_to_page.windows',
      'On Windows `fit_to_page` is honoured.',
      windowsPdf('fit_to_page true makes smaller pages larger, false leaves larger ones as they are'),
    ],
    ['platform.rotate.windows.90', 'On Windows `rotate` 90 is honoured.', ...WINDOWS_TURNS],
    ['platform.rotate.windows.270', 'On Windows `rotate` 270 is honoured.', ...WINDOWS_TURNS],
    [
      'platform.rotate.windows.180',
      'On Windows `rotate` 180 is ignored with a warning.',
      judges('on Windows > {"rotate":180} is ignored with a warning'),
    ],
    ['platform.color.windows', 'On Windows `color` is honoured.', WINDOWS_SETTINGS],
    ['platform.duplex.windows', 'On Windows `duplex` is honoured.', WINDOWS_SETTINGS],
    ['platform.paper.windows', 'On Windows `paper` is honoured.', WINDOWS_SETTINGS],
    ['platform.bin.windows', 'On Windows `bin` is honoured.', WINDOWS_SETTINGS],
  ]),
  ...entries('decisions: Option values', [
    ['option.pages', '`pages` is a text.', pages('1'), noPages('')],
    ['option.pages.single', '`n` and a comma list are well-formed.', pages('1'), pages('1,3')],
    ['option.pages.range', '`n-m` is well-formed.', pages('1-3'), pages('3-3')],
    ['option.pages.from', '`n-` is well-formed.', pages('5-')],
    ['option.pages.to', '`-m` is well-formed.', pages('-5')],
    ['option.pages.all', '`-` is well-formed.', pages('-')],
    ['option.pages.mixed', 'A comma list may mix them.', pages('1-2,5,7-')],
    ['option.pages.1-based', '`0` is a 400.', noPages('0'), noPages('0-2')],
    ['option.pages.malformed', '`a-b` is a 400.', noPages('a-b')],
    ['option.pages.backwards', '`5-3` is a 400.', noPages('5-3')],
    ['option.pages.printed', 'Only the pages that were asked for are printed.', TOLD_TO_DEVICE],
    ['option.rotate', '`rotate` is 0, 90, 180 or 270.', ...ANGLES],
    ['option.rotate.45', '`rotate` 45 is a 400.', refused('an option is malformed'), malformed('{"rotate":45}')],
    ['option.rotate.type', '`rotate` as a text is a 400.', malformed('{"rotate":"90"}')],
    ['option.rotate.printed', 'The page is turned clockwise as the reader of the sheet sees it.', ...TURNS],
    ['option.fit_to_page', '`fit_to_page` is a boolean.', BOOLEANS, malformed('{"fit_to_page":"true"}')],
    ['option.fit_to_page.true', '`fit_to_page` true scales to the printable area.', SCALES],
    ['option.fit_to_page.false', '`fit_to_page` false prints at 100 %.', SCALES],
    ['option.fit_to_page.unset', 'Without `fit_to_page` a page is shrunk only when it is larger.', SCALES],
    ['option.color', '`color` is a boolean.', BOOLEANS, malformed('{"color":1}')],
    ['option.collate', '`collate` is a boolean.', BOOLEANS, malformed('{"collate":"yes"}')],
    ['option.nup', '`nup` is an integer.', wellFormed('{"nup":16}'), malformed('{"nup":0}')],
    ['option.duplex', '`duplex` is a text.', ACCEPTED, malformed('{"duplex":true}')],
    ['option.duplex.long-edge', '`duplex` may be `long-edge`.', wellFormed('{"duplex":"long-edge"}'), ACCEPTED],
    ['option.duplex.short-edge', '`duplex` may be `short-edge`.', wellFormed('{"duplex":"short-edge"}')],
    ['option.duplex.one-sided', '`duplex` may be `one-sided`.', wellFormed('{"duplex":"one-sided"}')],
    ['option.duplex.unknown', '`duplex` `both` is a 400.', malformed('{"duplex":"both"}')],
    ['option.copies', '`copies` is an integer.', wellFormed('{"copies":1000000}'), malformed('{"copies":"1"}')],
    ['option.copies.0', '`copies` 0 is a 400.', malformed('{"copies":0}')],
    ['option.copies.1', '`copies` 1 is accepted.', wellFormed('{"copies":1}')],
    ['option.bin', '`bin` is a text.', TEXTS, malformed('{"bin":1}')],
    ['option.dpi', '`dpi` is a text.', TEXTS, malformed('{"dpi":300}')],
    [
      'option.dpi.short',
      '`dpi` `300` stands for `300x300`.',
      judges('`300` stands for `300x300`, and the agent is told the form of the printer'),
    ],
    ['option.media', '`media` is a text.', TEXTS, malformed('{"media":true}')],
    ['option.paper', '`paper` is a text.', TEXTS, malformed('{"paper":4}')],
    [
      'option.text.any',
      'Any text is well-formed for `bin`, `dpi`, `media` and `paper`.',
      missing('one text of each is tested'),
    ],
    [
      'option.text.exact',
      '`bin`, `media` and `paper` match exactly.',
      dropped('{"bin":"TRAY-1"}'),
      dropped('{"media":"Labels"}'),
      dropped('{"paper":"a4"}'),
    ],
    ['options.null', 'Every option may be `null`.', ...NULL],
    [
      'options.null.default',
      "`null` is the device's own default and skips `defaultOptions`.",
      judges("`null` skips the default and leaves the device's own"),
    ],
    [
      'options.shown',
      '`options` of the job object shows what was asked.',
      ACCEPTED,
      'services/gateway/tests/resources.test.ts: a job and its events are shown as the specification has them',
    ],
    ['options.shown.merged', '`options` of the job object is merged with the defaults.', ENROLLED_TO_DELETED],
  ]),
  ...entries('decisions: Jobs', [
    [
      'options.raw.unknown',
      'An unknown option on a raw job is a 400.',
      request('a wrong form is refused by name > an option that is not known, also of a raw job'),
    ],
  ]),
]
