/** `platen-agent verify-printer` and the doctor, with simulated devices. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { useEpson, useLaser, useSato, useStar, useZebra } from '../../../test/devices/print-on.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { runCommandLine } from '../../cli/command-line.ts'
import { processIo } from '../../cli/io.ts'
import { makeDataDir } from '../start-agent.ts'
import { writeConfig } from '../start-program.ts'

const SHEET = { sheetMs: 20 }
/** Printers of SATO count no labels, so an answer must arrive while the label prints, also on a slow machine. */
const SEEN_SHEET = { sheetMs: 400 }

/** @returns the output, and `type` for the owner of the printer. */
function start(dataDir: string, ...args: string[]) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let text = ''
  stdout.on('data', (chunk) => {
    text += chunk
  })
  const end = runCommandLine([...args, '--data-dir', dataDir], { ...processIo, stdin, stdout, stderr: stdout })
  const answer = async (question: string, line: string) => {
    await waitFor(() => expect(text).toContain(question))
    text = text.slice(text.indexOf(question) + question.length)
    stdin.write(`${line}\n`)
  }
  return { end, answer, text: () => text }
}

function makePrinterDir(uri: string, rawLanguage?: string) {
  const dir = makeDataDir()
  writeConfig(dir, {
    agentUrl: 'http://127.0.0.1:1',
    spooler: 'virtual',
    printers: [{ name: 'Label', uri }],
    ...(rawLanguage && { rasterize: { Label: { rawLanguage } } }),
  })
  return dir
}

test.each([
  ['zpl', useZebra, {}],
  ['escpos', useEpson, { hasIds: true }],
  ['star', useStar, { hasIds: true }],
  ['sbpl', useSato, SEEN_SHEET],
  ['pjl', useLaser, {}],
] as const)(
  'the report of a printer in %s has what it says and what its owner sees',
  async (language, startDevice, traits) => {
    const device = await startDevice({ ...SHEET, ...traits } as never)
    const dir = makePrinterDir(device.uri, language)
    const file = join(dir, 'report.json')
    const { end, answer } = start(dir, 'verify-printer', '--printer', 'Label', '--output', file)
    for (const count of [1, 4]) {
      await waitFor(() => expect(device.sheets).toHaveLength(count))
      await answer('How many', String(device.sheets.length))
    }
    device.machine.isOpen = true
    await answer('Open the cover', '')
    await answer('Close the cover', '').finally(() => {
      device.machine.isOpen = false
    })
    await answer('make and model', 'Simulated 1')
    expect(await end).toBe(0)
    expect(device.sheets).toHaveLength(4)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      model: 'Simulated 1',
      before: { answeredMs: expect.any(Number) },
      prints: [
        { copies: 1, outcome: { confirmedBy: 'printer' }, sheets: '1' },
        { copies: 3, outcome: { confirmedBy: 'printer' }, sheets: '4' },
      ],
      open: { fault: { reasons: ['cover-open'] } },
    })
  },
)

const NO_LANGUAGE =
  '"Label" is not asked: it has no language. Set it on the page of the printer in the dashboard, or in "rasterize" of agent.json.'

test('a printer without a language, or of another kind, is refused with what to do', async () => {
  const device = await useZebra(SHEET)
  for (const [args, message] of [
    [[], '--printer NAME is required'],
    [['--printer', 'Other'], 'No raw printer without a queue (socket:) is called "Other"'],
    [['--printer', 'Label'], NO_LANGUAGE],
  ] as const) {
    const { end, text } = start(makePrinterDir(device.uri), 'verify-printer', ...args)
    expect(await end).not.toBe(0)
    expect(text()).toContain(message)
  }
})

test('the doctor says of each raw printer what it answers', async () => {
  const device = await useZebra(SHEET)
  const doctor = async (language?: string) => {
    const { end, text } = start(makePrinterDir(device.uri, language), 'doctor')
    await end
    return text()
  }
  expect(await doctor('zpl')).toMatch(/ok +paper +Label answers ~HS in \d+ ms and is ready\./)
  expect(await doctor()).toContain(`paper      ${NO_LANGUAGE}`)
  device.machine.paper = 0
  expect(await doctor('zpl')).toMatch(/PROBLEM +paper +Label: The printer is out of paper\./)
})
