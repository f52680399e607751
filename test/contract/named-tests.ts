/** The test files that entries name, and the tests that several areas name. */

const inFile = (file: string) => (title: string) => `${file}: ${title}`

export const badInput = inFile('test/e2e/bad-input.test.ts')
export const wholeJob = inFile('test/e2e/print-job.test.ts')
export const apiKeys = inFile('services/accounts/tests/api-keys.test.ts')
export const gatewayKeys = inFile('services/gateway/tests/api-keys.test.ts')
export const gatewayProcess = inFile('services/gateway/tests/process.test.ts')
export const apiKey = inFile('services/accounts/tests/api-key.test.ts')
export const agentConnection = inFile('agent/tests/connection.test.ts')
export const agentJobs = inFile('agent/tests/jobs.test.ts')
const cupsPrinters = inFile('agent/tests/cups/printers.test.ts')
export const cupsSpooler = inFile('agent/tests/cups/cups-spooler.test.ts')
export const agentOnCups = (title: string) =>
  inFile('agent/tests/cups/agent-on-cups.test.ts')(`an agent on CUPS > ${title}`)
export const cupsPrinter = (title: string) => cupsPrinters(`printers of CUPS > ${title}`)
export const cupsCapabilities = inFile('agent/tests/cups/capabilities.test.ts')
export const agentProcess = inFile('agent/tests/process.test.ts')
export const agents = inFile('services/devices/tests/agents.test.ts')
export const eventFeed = inFile('services/webhooks/tests/feed.test.ts')
export const eventPayload = inFile('services/jobs/tests/event-payload.test.ts')
export const eventsAtGateway = inFile('services/gateway/tests/events.test.ts')
export const keepDays = inFile('services/webhooks/tests/keep-days.test.ts')
export const recordEvents = inFile('services/webhooks/tests/record-events.test.ts')
export const wholeFeed = inFile('test/e2e/events.test.ts')
export const fuzz = inFile('test/fuzz/operations.test.ts')
export const tenancy = inFile('test/e2e/tenancy.test.ts')
export const devicesTenancy = inFile('services/devices/tests/tenancy.test.ts')
export const authentication = inFile('services/gateway/tests/authentication.test.ts')
export const permissions = inFile('services/gateway/tests/permissions.test.ts')
export const wholePermissions = inFile('test/e2e/permissions.test.ts')
export const listOrder = inFile('services/devices/tests/list-order.test.ts')
export const revocation = inFile('services/gateway/tests/revocation.test.ts')
export const base64 = inFile('services/gateway/tests/base64-decoder.test.ts')
export const creation = inFile('services/gateway/tests/create-print-job.test.ts')
export const docs = inFile('services/gateway/tests/docs.test.ts')
export const envelope = inFile('services/gateway/tests/envelope.test.ts')
export const openapi = inFile('services/gateway/tests/openapi.test.ts')
export const rateLimit = inFile('services/gateway/tests/rate-limit.test.ts')
export const request = inFile('services/gateway/tests/print-job-request.test.ts')
export const resources = inFile('services/gateway/tests/resources.test.ts')
export const updatePrinter = inFile('services/devices/tests/update-printer.test.ts')
export const inBacklog = inFile('services/devices/tests/backlog.test.ts')
export const givenUp = inFile('services/devices/tests/given-up.test.ts')
export const printing = inFile('services/jobs/tests/printing.test.ts')
export const removals = inFile('agent/tests/removals.test.ts')
export const computerEvents = inFile('services/devices/tests/computer-events.test.ts')
export const printerEvents = inFile('services/devices/tests/printer-events.test.ts')
export const deleteComputer = inFile('services/devices/tests/delete-computer.test.ts')
export const enrollAgent = inFile('services/gateway/tests/enroll-agent.test.ts')
export const enrollCommand = inFile('agent/tests/enroll.test.ts')
export const agentCommands = inFile('agent/tests/commands.test.ts')
export const wholeEnrollment = inFile('test/e2e/agent-enrollment.test.ts')
export const enrolls = inFile('services/devices/tests/enroll.test.ts')
export const wholeTestMode = inFile('test/e2e/test-mode.test.ts')
export const testComputers = inFile('services/devices/tests/test-computers.test.ts')
export const windowsSpooler = inFile('agent/tests/windows/spooler.test.ts')
export const windowsPdf = inFile('agent/tests/windows/pdf.test.ts')
export const virtualSpooler = inFile('agent/tests/virtual-spooler.test.ts')
export const wholeDevices = inFile('test/e2e/devices.test.ts')
export const patches = inFile('services/gateway/tests/update-printer.test.ts')
export const enrollments = inFile('services/gateway/tests/enrollments.test.ts')
export const judges = inFile('services/gateway/tests/judge-options.test.ts')
export const quota = inFile('services/gateway/tests/usage.test.ts')
export const usage = inFile('services/usage/tests/usage.test.ts')
export const webhooks = inFile('services/gateway/tests/webhooks.test.ts')
export const endpoints = inFile('services/webhooks/tests/endpoints.test.ts')
export const endpointUrls = inFile('services/webhooks/tests/endpoint-urls.test.ts')
export const wholeEndpoints = inFile('test/e2e/webhook-endpoints.test.ts')
export const idempotency = inFile('services/gateway/tests/idempotency.test.ts')
export const dailyCap = inFile('services/gateway/tests/daily-cap.test.ts')
export const creationLimit = inFile('services/jobs/tests/creation-limit.test.ts')
export const changeState = inFile('services/jobs/tests/change-state.test.ts')
export const dispatch = inFile('services/jobs/tests/dispatch.test.ts')
export const lists = inFile('test/e2e/print-job-lists.test.ts')
export const jobLists = inFile('services/jobs/tests/list-jobs.test.ts')
export const printJobLists = inFile('services/gateway/tests/list-print-jobs.test.ts')
export const cancelJob = inFile('services/jobs/tests/cancel-job.test.ts')
export const agentCancel = inFile('services/devices/tests/cancel.test.ts')
export const sharedRateLimit = inFile('services/gateway/tests/shared-rate-limit.test.ts')
export const shippedRateLimit = inFile('test/e2e/rate-limit.test.ts')
export const slowClients = inFile('services/gateway/tests/slow-clients.test.ts')
export const requestLimits = inFile('services/gateway/tests/request-limits.test.ts')
export const readJson = inFile('services/gateway/tests/read-json.test.ts')
export const states = inFile('services/jobs/tests/states.test.ts')
export const documents = inFile('services/jobs/tests/documents.test.ts')
export const storageUnavailable = inFile('services/gateway/tests/storage-unavailable.test.ts')
export const fetches = inFile('services/jobs/tests/fetches.test.ts')
export const wholeFetch = inFile('test/e2e/fetches.test.ts')
export const byUrl = inFile('services/gateway/tests/create-by-url.test.ts')
export const withoutUpload = inFile('services/gateway/tests/create-without-upload.test.ts')
export const fetchFile = inFile('services/runtime/tests/fetch-file.test.ts')
export const publicNetwork = inFile('services/runtime/tests/public-network.test.ts')

export const refused = (when: string) => badInput(`a creation is refused, with nothing stored, when > ${when}`)
export const refusedByGateway = (when: string) => creation(`is refused, and nothing is stored, when > ${when}`)

export const badUrl = (when: string) => byUrl(`a URL is invalid_content_url when > ${when}`)
export const fetchFails = (when: string) =>
  fetches(`a fetch that fails ends the job in error with a reason of a fixed list, and leaves no file, when > ${when}`)
/** By the edges of all special-purpose blocks, in every embedding, and by URLs in every spelling. */
export const ONLY_PUBLIC = [
  publicNetwork(
    'addresses > at the edges of every special-purpose block, in every embedding, only public ones are let through',
  ),
  publicNetwork(
    'connections > no URL leads to an address that is not public, however it is written, and whatever a lenient resolver makes of its host',
  ),
] as [string, string]

export const TIMES_OUT = printing(
  'a job prints for 15 minutes less a second and goes on; at 15 minutes it ends with `spooler timeout`',
)
export const ACCEPTED = wholeJob('a PDF for the virtual laser printer > is accepted with the full job object in queued')
export const WALKS = wholeJob(
  'a PDF for the virtual laser printer > walks through all states to done in about 3 s, each with its time and its event',
)
export const FAILS = wholeJob(
  'a PDF for the virtual laser printer > ends in error, with the reason, when its title contains [fail]',
)
export const VIRTUAL_COMPUTER = wholeJob('what a test key sees > the virtual computer is online')
export const FOUR_PRINTERS = wholeJob('what a test key sees > its four printers are online, with what they can do')
export const NEXT_PAGE = wholeJob(
  'what a test key sees > a page ends where it was asked to, and the next one goes on from there',
)
export const WHOAMI = wholeJob(
  'authentication > whoami names the organization, the mode and the key behind a Bearer key',
)
export const OTHER_MODE_SEES_NOTHING = wholeJob('authentication > a live key sees nothing of test mode')

export const ORDER = wholeJob(
  'with `dir=asc` the oldest is first, with `dir=desc` the newest, and no header tells how many there are',
)
export const OTHERS_ARE_404 = tenancy(
  'printers, computers, jobs, events and webhook endpoints of another organization are a 404',
)
export const LISTS_HOLD_ONES_OWN = tenancy(
  'lists hold nothing of another organization, where the same name is another printer',
)
export const OTHERS_DO_NOT_EXIST = devicesTenancy(
  'computers, printers and jobs of another organization or mode do not exist',
)
export const ONLY_HASHES = tenancy('of a key and of a credential the database holds the SHA-256 alone')
export const answersAsSpecified = (operation: string) => fuzz(`${operation} answers as the specification says`)

export const OPENAPI_SERVED = openapi('GET /v1/openapi.json > answers the document to anybody, with or without a key')
export const DOCS_SERVED = docs('GET /docs > answers the page to anybody, without a key')
export const PRINTER_SHOWN = resources('a printer is shown as the specification has it')
export const COMPUTER_SHOWN = resources('a computer is shown as the specification has it')
export const JOB_SHOWN = resources('a job and its events are shown as the specification has them')
export const needsScope = (operationId: string, scope: 'read' | 'print' | 'admin') =>
  permissions(`${operationId} needs ${scope}, in either mode, and \`admin\` satisfies it`)
export const LACKS_SCOPE = (scope: 'read' | 'print') =>
  needsScope(scope === 'read' ? 'listPrinters' : 'createPrintJob', scope)

export const REPLAYED = idempotency(
  'the same key > with the same body is a 201 with the first job and `Idempotent-Replayed`, and makes nothing new',
)
export const KEY_REUSED = [
  'another title',
  'another document',
  'one field more',
  'one option less',
  'a printer that does not exist',
  'what is no print job',
].map((body) =>
  idempotency(`the same key > with another body is a 422, also when the first job is final: ${body}`),
) as [string, ...string[]]
export const KEY_IN_USE = idempotency(
  'while the first request is still coming in > the same key is a 409, and afterwards a replay',
)
export const DAILY_CAP = dailyCap(
  'of 600 creations at once, by 60 keys of one organization, 500 are accepted and 100 wait for the next UTC day',
)
export const PAST_DAILY_CAP = dailyCap(
  'past the cap live jobs and other organizations go on, and so does everybody on the next UTC day',
)

export const EVERY_TRIGGER = changeState(
  'in the database > every trigger moves a job from exactly the states that the table names, with one event and one outbox row each',
)
export const RESENDS = dispatch(
  'a job that nobody acknowledges is sent 4 times (1 + 3 resends), 60 s apart, then queued again',
)
export const FILTERED = lists('jobs > are filtered by printer, computer, source, state and time, alone and together')
export const FILTERS_HOLD = jobLists(
  'filters > each of them, and several together, find what passes them all, in both directions and over all pages',
)
export const CANCELLED = lists(
  'a cancel > of a job that no agent has received answers 200 with the job in cancelled, and then 409',
)
export const TOO_LATE_TO_CANCEL = (state: string) => cancelJob(`a job in ${state} cannot be cancelled, and is told why`)
export const EXPIRES = dispatch('a job that is not received in time expires, by the second, from queued and from sent')

export const DEVICES_IN_FEED = inFile('test/e2e/device-events.test.ts')(
  'what happens to a computer and its printer is in the feed as it is read, and in no other mode',
)
export const ENROLLED_TO_DELETED = wholeDevices(
  'a computer is enrolled, its printer is edited, prints with its defaults, and all of it is deleted',
)
