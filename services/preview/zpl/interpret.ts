/** Interprets ZPL II. Commands that are not known are named and change nothing. */
import { type Budget, BudgetExceeded } from '../budget.ts'
import { Canvas } from '../canvas.ts'
import type { Page } from '../display-list.ts'
import type { Paper } from '../preview.ts'
import { BAR_CODES } from './bar-codes.ts'
import { FIELD_COMMANDS, setBarCode, setFont } from './field-commands.ts'
import { GRAPHIC_COMMANDS } from './graphic-commands.ts'
import { LABEL_COMMANDS } from './label-commands.ts'
import { NOT_DRAWN, WITHOUT_INK } from './other-commands.ts'
import { Parameters } from './parameters.ts'
import { type Handler, Printer } from './printer.ts'
import { type Command, Tokenizer } from './tokenize.ts'

const HANDLERS = { ...LABEL_COMMANDS, ...FIELD_COMMANDS, ...GRAPHIC_COMMANDS }

/** @returns the handler of a command. `^A` and `^B` include the letter of the font or bar code. */
function getHandler(name: string): Handler | undefined {
  if (HANDLERS[name]) return HANDLERS[name]
  if (/^\^A[0-9A-Z@]$/.test(name)) return setFont
  return name.startsWith('^B') && BAR_CODES[name.charAt(2)] ? setBarCode : undefined
}

const isKnown = (name: string): boolean => Boolean(getHandler(name)) || WITHOUT_INK.has(name) || NOT_DRAWN.has(name)

/**
 * @param source one character per byte.
 * @returns the labels, at least one. The first has the warnings of all.
 */
export function interpretZpl(source: string, paper: Paper, budget: Budget): Page[] {
  const tokenizer = new Tokenizer(source, isKnown)
  const printer: Printer = new Printer(paper, budget, tokenizer.syntax, (command) => execute(printer, command))
  try {
    for (let command = tokenizer.next(); command; command = tokenizer.next()) execute(printer, command)
    const { label } = printer
    if (label && !label.stores && label.fields.length > 0) {
      printer.warn(label.offset, 'The label has no ^XZ. A printer waits for it and does not print.')
      printer.endLabel()
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    printer.warn(0, error.message)
  }
  // A document without labels still has its warnings.
  if (printer.pages.length === 0) printer.addPage(new Canvas(printer.budget))
  const [first] = printer.pages
  if (first) first.warnings = [...printer.warnings.values()].sort((a, b) => a.offset - b.offset)
  return printer.pages
}

function execute(printer: Printer, command: Command): void {
  const { name, text, offset } = command
  printer.budget.spendCommand()
  if (printer.label?.stores && name !== '^XZ') {
    printer.label.stores.commands.push(command)
    return
  }
  const handler = getHandler(name)
  if (handler) handler(printer, new Parameters(text, printer.syntax.delimiter, printer.dotsPerUnit), command)
  else if (NOT_DRAWN.has(name)) printer.warn(offset, `The picture does not show what ${name} does.`)
  else if (!WITHOUT_INK.has(name)) printer.warn(offset, `Unknown command ${JSON.stringify(name)}.`)
}
