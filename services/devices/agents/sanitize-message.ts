/**
 * Sanitizes messages of agents, which are untrusted: bounds each field by its meaning and removes control characters.
 * Reference: docs/reference/agents.md#bounds. One statement records messages of many agents, so a value that PostgreSQL
 * rejects would fail the messages of other agents too.
 */
import { toJson } from '@bufbuild/protobuf'
import { isRasterPrinter, isRasterSettings } from '@platen/agent/spoolers/raster/raster-printer.ts'
import {
  CAPABILITIES_MAX_BYTES,
  COMMAND_PRINTERS_MAX,
  COMMANDS_MAX,
  DIAGNOSTICS_MAX_BYTES,
  HELD_JOBS_MAX,
  NAME_MAX_BYTES,
  OS_NAME_MAX_BYTES,
  PRINTER_URI_MAX_BYTES,
  PRINTERS_MAX,
  REASON,
  REASONS_MAX,
  REPORT_ID_MAX_BYTES,
  RUN_ID_MAX_BYTES,
  replaceControls,
  SENTENCE_MAX_BYTES,
  truncateText,
  WARNING_MAX_BYTES,
  WARNINGS_MAX,
} from '@platen/proto/agent-bounds.ts'
import { fitPrinters } from '@platen/proto/fit-printers.ts'
import type {
  ConnectRequest,
  Hello,
  PrinterReport,
  Report,
  ReportedPrinter,
  SpoolerState,
  UpdateState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type {
  AddedPrinter,
  AskedPrinter,
  CommandResult,
  FoundPrinter,
} from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { type PrinterCapabilities, PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { validate as isUuid } from 'uuid'

const LISTS = ['papers', 'bins', 'dpis', 'medias', 'nup'] as const

/** The name of a field in TypeScript. */
const COMMAND = /^[a-z][A-Za-z]{0,63}$/

/** Formats of one printer. Agents know two. */
const FORMATS_MAX = 10
/** A format or a language. */
const FORMAT = /^[a-z][a-z0-9-]{0,31}$/

/** A name with an escape for each character, and the numbers of a paper. */
const CAPABILITY_MAX_BYTES = 2 * NAME_MAX_BYTES + 90

/**
 * Modifies the message: cuts long texts and lists, drops invalid keywords and printers, and replaces control characters
 * by spaces.
 *
 * @param onCut called if printers or capabilities are left out.
 * @returns why the message must be refused; undefined for a message that can be processed.
 */
export function sanitizeMessage({ message }: ConnectRequest, onCut: () => void): string | undefined {
  switch (message.case) {
    case 'report':
      return sanitizeReport(message.value)
    case 'received':
    case 'removed':
      return refuseJobId(message.value.jobId)
    case 'hello':
      return sanitizeHello(message.value, onCut)
    case 'commandResult':
      return sanitizeCommandResult(message.value)
    case 'printers':
      sanitizePrinters(message.value, onCut)
      return undefined
    case 'updateState':
      sanitizeUpdateState(message.value)
      return undefined
    case 'spoolerState':
      sanitizeSpoolerState(message.value)
      return undefined
    default:
      return undefined
  }
}

const refuseJobId = (jobId: string) => (isUuid(jobId) ? undefined : 'the job id is not a UUID')

/** The largest number of the column. */
const PRINTED_MAX = 2 ** 31 - 1

function sanitizeReport(report: Report): string | undefined {
  if (Buffer.byteLength(report.reportId) > REPORT_ID_MAX_BYTES) return 'the report id is too long'
  if (report.message !== undefined) report.message = sanitizeText(report.message, SENTENCE_MAX_BYTES)
  report.reasons = sanitizeReasons(report.reasons)
  report.warnings = report.warnings.slice(0, WARNINGS_MAX).map((warning) => sanitizeText(warning, WARNING_MAX_BYTES))
  if (report.printed !== undefined) report.printed = Math.min(report.printed, PRINTED_MAX)
  return refuseJobId(report.jobId)
}

function sanitizeHello(hello: Hello, onCut: () => void): string | undefined {
  if (Buffer.byteLength(hello.runId) > RUN_ID_MAX_BYTES) return 'the run id is too long'
  if (hello.heldJobIds.length > HELD_JOBS_MAX) return 'the agent holds too many jobs'
  hello.runId = sanitizeText(hello.runId, RUN_ID_MAX_BYTES)
  hello.heldJobIds = hello.heldJobIds.filter(isUuid)
  // Names of fields that a later agent may add.
  hello.commands = hello.commands.filter((name) => COMMAND.test(name)).slice(0, COMMANDS_MAX)
  for (const name of ['name', 'hostname', 'os', 'osVersion', 'arch', 'agentVersion'] as const)
    hello[name] = sanitizeText(hello[name], NAME_MAX_BYTES)
  if (hello.printers) sanitizePrinters(hello.printers, onCut)
  if (hello.updateState) sanitizeUpdateState(hello.updateState)
  if (hello.spoolerState) sanitizeSpoolerState(hello.spoolerState)
  return undefined
}

function sanitizeCommandResult({ commandId, result }: CommandResult): string | undefined {
  if (!isUuid(commandId)) return 'the command id is not a UUID'
  if (result.case === 'failure') result.value.message = sanitizeText(result.value.message, SENTENCE_MAX_BYTES)
  if (result.case === 'findPrinters') {
    const printers = result.value.printers.slice(0, COMMAND_PRINTERS_MAX).filter(({ uri }) => isPrinterUri(uri))
    for (const printer of printers) {
      for (const name of ['name', 'model'] as const) printer[name] = sanitizeText(printer[name], NAME_MAX_BYTES)
      sanitizeFound(printer)
    }
    result.value.printers = printers
  }
  if (result.case === 'listAddedPrinters') {
    result.value.printers = result.value.printers.slice(0, COMMAND_PRINTERS_MAX).filter(isAddedPrinter)
    result.value.refusal = sanitizeText(result.value.refusal, SENTENCE_MAX_BYTES)
    result.value.askable = result.value.askable.slice(0, PRINTERS_MAX).filter(isOsName)
    result.value.queues = result.value.queues
      .slice(0, PRINTERS_MAX)
      .filter(({ osName, uri }) => isOsName(osName) && (uri === '' || isPrinterUri(uri)))
  }
  if (result.case === 'askPrinter') sanitizeFound(result.value)
  if (result.case === 'collectDiagnostics') result.value.text = sanitizeLines(result.value.text, DIAGNOSTICS_MAX_BYTES)
  if (result.case === 'addPrinter' && !isAddedPrinter(result.value)) return 'the added printer is invalid'
  return undefined
}

/** A language in which no agent draws can be found, too. */
function sanitizeFound(message: FoundPrinter | AskedPrinter): void {
  if (message.raster && !isRasterSettings(message.raster)) delete message.raster
}

/** A cut URI could be that of another printer. */
const isPrinterUri = (uri: string) =>
  Buffer.byteLength(uri) <= PRINTER_URI_MAX_BYTES && /^(ipps?|socket):\/\/[\x21-\x7e]+$/.test(uri)

function sanitizeUpdateState(state: UpdateState): void {
  state.failedVersion = sanitizeText(state.failedVersion, NAME_MAX_BYTES)
  state.failure = sanitizeText(state.failure, SENTENCE_MAX_BYTES)
}

function sanitizeSpoolerState(state: SpoolerState): void {
  // A code that a later agent may add.
  if (!REASON.test(state.code)) state.code = ''
  state.message = sanitizeText(state.message, SENTENCE_MAX_BYTES)
}

const isAddedPrinter = ({ osName, uri }: AddedPrinter) => isOsName(osName) && isPrinterUri(uri)

function sanitizePrinters(report: PrinterReport, onCut: () => void): void {
  // Before the others, so that a long list costs nothing.
  const first = report.printers.slice(0, PRINTERS_MAX).filter(({ osName }) => isOsName(osName))
  for (const printer of first) sanitizePrinter(printer, onCut)
  const fitting = fitPrinters(first)
  if (fitting.length < report.printers.length) onCut()
  report.printers = fitting
}

const isOsName = (text: string) => Buffer.byteLength(text) <= OS_NAME_MAX_BYTES && replaceControls(text) === text

function sanitizePrinter(printer: ReportedPrinter, onCut: () => void): void {
  printer.name = sanitizeText(printer.name, NAME_MAX_BYTES)
  printer.description = sanitizeText(printer.description, SENTENCE_MAX_BYTES)
  printer.stateDetail = sanitizeText(printer.stateDetail, SENTENCE_MAX_BYTES)
  printer.stateReasons = sanitizeReasons(printer.stateReasons)
  if (printer.capabilities) sanitizeCapabilities(printer.capabilities, onCut)
}

function sanitizeCapabilities(capabilities: PrinterCapabilities, onCut: () => void): void {
  const { formats, raster, language } = capabilities
  if (formats) formats.names = formats.names.filter((name) => FORMAT.test(name)).slice(0, FORMATS_MAX)
  if (raster && !isRasterPrinter(raster)) delete capabilities.raster
  if (language !== undefined && !FORMAT.test(language)) delete capabilities.language
  while (exceedsBytes(capabilities)) {
    onCut()
    for (const list of LISTS) capabilities[list].length = Math.floor(capabilities[list].length / 2)
  }
  for (const paper of capabilities.papers) paper.name = sanitizeText(paper.name, NAME_MAX_BYTES)
  for (const list of ['bins', 'dpis', 'medias'] as const)
    capabilities[list] = capabilities[list].map((name) => sanitizeText(name, NAME_MAX_BYTES))
  if (capabilities.printrate) capabilities.printrate.unit = sanitizeText(capabilities.printrate.unit, NAME_MAX_BYTES)
}

function exceedsBytes(capabilities: PrinterCapabilities): boolean {
  const entries = LISTS.reduce((sum, list) => sum + capabilities[list].length, 0)
  if (entries * CAPABILITY_MAX_BYTES <= CAPABILITIES_MAX_BYTES / 2) return false
  return Buffer.byteLength(JSON.stringify(toJson(PrinterCapabilitiesSchema, capabilities))) > CAPABILITIES_MAX_BYTES
}

const sanitizeReasons = (reasons: string[]) => reasons.filter((reason) => REASON.test(reason)).slice(0, REASONS_MAX)

/** Cuts first, so that a long text costs nothing: a UTF-16 unit is at least one byte. */
const sanitizeText = (text: string, maxBytes: number) =>
  truncateText(replaceControls(text.slice(0, maxBytes)), maxBytes)

const sanitizeLines = (text: string, maxBytes: number) =>
  truncateText(text.slice(0, maxBytes).split('\n').map(replaceControls).join('\n'), maxBytes)
