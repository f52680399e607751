/**
 * What people are told about the fields of bodies, by schema and by the field's path. The schemas themselves hold the rules and
 * the words of refusals. Source: specification, "Print jobs" and "Print options"; decisions, "Option values".
 */

const option = (what: string) => `${what} Null: the device's own default, whatever the printer's default options say.`

export const FIELDS: Record<string, { '': string; [field: string]: string }> = {
  PrintOptions: {
    '': 'How to print. Every option may be left out, and is then filled from the default options of the printer. An option or a value that the printer cannot honour is dropped, and named in `stateMessage`. Raw jobs ignore options.',
    bin: option('The paper tray, one of `capabilities.bins`.'),
    copies: option('How many copies the printer makes, at most `capabilities.copies`.'),
    duplex: option('Both sides, turned at the long or the short edge, or one side.'),
    paper: option('The name of a paper in `capabilities.papers` or `customPapers`.'),
    pages: option('The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all.'),
    rotate: option('Degrees clockwise, as the reader of the sheet sees it. On Windows only 90 and 270.'),
    fit_to_page: option(
      'True scales to the printable area, false prints at 100 %. When it is not set, only what is larger is shrunk.',
    ),
    color: option('Colour, or shades of grey.'),
    dpi: option('The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows.'),
    media: option('The kind of paper, one of `capabilities.medias`. Not on Windows.'),
    collate: option('Sorts copies into sets. Not on Windows.'),
    nup: option('Pages on one sheet, one of `capabilities.nup`. Not on Windows.'),
  },
  NewPrintJob: {
    '': 'A document for one printer. Send either `contentType` and `content`, or `reprintOf`.',
    printerId: 'The printer. It must be enabled, and of the mode of the key.',
    title: 'What the job is called. In test mode `[fail]` anywhere in it makes the job end in `error`.',
    contentType: 'What `content` is: a PDF or raw data for the printer, at a URL or as base64.',
    content:
      'The document: standard base64 of at most 25 MB decoded, or an `http` or `https` URL of at most 2048 characters that leads to a public address, at port 80 or 443, without redirects. It is fetched once, within 30 seconds.',
    source: 'The system that makes the job, for your own reports.',
    qty: 'How often the whole job is printed. Sheets are `qty` times the option `copies`.',
    expireAfter: 'For how many seconds the job may wait for its agent before it becomes `expired`.',
    options: 'How to print.',
    authentication:
      'For a URL that asks for a password. It is held until the document is fetched, for an hour at most, and is never part of the job.',
    'authentication.type': 'How the URL asks for it.',
    'authentication.credentials': 'What is sent to it.',
    'authentication.credentials.user': 'The user name.',
    'authentication.credentials.pass': 'The password.',
    reprintOf: 'An earlier job, whose stored document is printed anew. Documents are stored for 7 days.',
  },
  PrinterChanges: {
    '': 'What to change. What is left out stays as it is; an empty object changes nothing.',
    displayName: 'The name to show to people.',
    enabled: 'Whether the printer takes jobs.',
    remarks: 'Your notes. Null removes them.',
    defaultOptions: 'Options for jobs that do not set them. They replace all earlier ones.',
    customPapers: 'Paper sizes of your own. The list replaces the earlier one.',
    'customPapers.name': 'A value of the option `paper`, unique in the list.',
    'customPapers.width': 'In tenths of a millimetre.',
    'customPapers.height': 'In tenths of a millimetre.',
  },
  NewEnrollment: {
    '': 'How the token may be used. An empty object takes the defaults.',
    maxUses: 'How many computers can be enrolled with it.',
    expiresInSeconds: 'For how long it can be used.',
  },
  AgentEnrollment: {
    '': 'The computer that the agent runs on.',
    name: 'What to call the computer; its `hostname` when left out.',
    hostname: 'What it calls itself.',
    os: 'Its operating system: `linux`, `macos` or `windows`.',
    osVersion: 'The version of that.',
    arch: 'Its processor, such as `x64` or `arm64`.',
    agentVersion: 'The version of the agent.',
    previousCredential:
      'Of an earlier enrolment from the same data directory. The computer keeps its id, and this credential stops working.',
  },
  NewWebhook: {
    '': 'Where to send which events.',
    url: 'An `http` or `https` URL that leads to a public address, at any port; in live mode `https`. Redirects are not followed.',
    events: 'The types of events, each once. There are no wildcards: new types would come unasked.',
    description: 'Your notes.',
  },
  WebhookChanges: {
    '': 'What to change. What is left out stays as it is; an empty object changes nothing.',
    url: 'By the rules of the creation.',
    events: 'They replace the earlier ones.',
    description: 'Your notes. Null removes them.',
    enabled: 'Whether events are sent to it.',
  },
  WebhookSecretRotation: {
    '': 'What becomes of the secret so far. An empty object takes the default.',
    graceSeconds: 'For how long the secret so far goes on signing beside the new one.',
  },
  WebhookReplayRange: {
    '': 'Which deliveries to replay.',
    since: 'Only those that were created at this moment or later.',
    until: 'Only those that were created before this moment.',
    status: 'Those in this status, or in any of these.',
  },
  WebhookTest: {
    '': 'What to send. An empty object takes the default.',
    type: 'Of which type to send an example, also one that the endpoint is not sent. Left out: the first of its `events`.',
  },
}
