import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawPdf } from '@platen/agent/spoolers/raster/draw-pdf.ts'
import { readZpl } from '@platen/agent/tests/read-raster.ts'
import { installation, newJob } from '@platen/test/api/installation.ts'
import { makePages as buildPages } from '@platen/test/cups/build-pdf.ts'
import { buildDocument, expectPrinted, readSide, SHEET_CASES } from '@platen/test/cups/sheet-cases.ts'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { BASE_URL, browserTest, findTestPrinter, visit } from './browser.ts'
import { makeEndlessPdf, makePages } from './pdf.ts'

const LARGEST = 26_214_400

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

/** Longest time in ms in which the page handled nothing, since the first call. */
const startWatch = (page: Page) =>
  page.evaluate(() => {
    let last = performance.now()
    const watched = globalThis as unknown as { longestGap: number }
    watched.longestGap = 0
    const measure = (now: number) => {
      watched.longestGap = Math.max(watched.longestGap, now - last)
      last = now
      requestAnimationFrame(measure)
    }
    requestAnimationFrame(measure)
  })
const longestGap = (page: Page) =>
  page.evaluate(() => Math.round((globalThis as unknown as { longestGap: number }).longestGap))

/** The part of the canvas that is not white. */
const countDrawn = (page: Page) =>
  page
    .locator('canvas[data-drawn=true]')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      let drawn = 0
      for (let at = 0; at < data.length; at += 4) if ((data[at] as number) < 200) drawn++
      return drawn
    })

/** The first side, with a pixel for each point. */
const readFirstSide = async (page: Page) => {
  const { pixels, ...size } = await page
    .locator('canvas[data-drawn=true]')
    .first()
    .evaluate((drawn: HTMLCanvasElement) => {
      const A4_HEIGHT = 842
      const [width, height] = [Math.round((drawn.width * A4_HEIGHT) / drawn.height), A4_HEIGHT]
      const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
      context.imageSmoothingEnabled = false
      context.drawImage(drawn, 0, 0, width, height)
      const { buffer } = context.getImageData(0, 0, width, height).data
      return { width, height, pixels: (new Uint8Array(buffer) as unknown as { toBase64(): string }).toBase64() }
    })
  return readSide({ ...size, pixels: Buffer.from(pixels, 'base64'), channels: 4 }, 1)
}

browserTest('a new organization sees its first sheet after one click', async () => {
  const { page } = await visit()
  await page.goto(`${BASE_URL}/app`)
  const startedAt = performance.now()
  await page.getByRole('button', { name: 'Print a letter' }).click()
  await page.locator('ol[data-state=done]').waitFor()
  await page.locator('canvas[data-drawn=true]').waitFor()
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`first sheet after 1 click and ${seconds.toFixed(1)} s`)
  expect(new URL(page.url()).pathname).toBe('/app/test/start')
  expect(seconds).toBeLessThan(60)
  expect(await countDrawn(page)).toBeGreaterThan(1_000)
  await expect
    .poll(() => page.getByRole('listitem').filter({ hasText: 'Virtual' }).filter({ hasText: 'online' }).count(), {
      timeout: 10_000,
    })
    .toBe(4)
  const code = page.getByRole('region', { name: 'From your program' })
  const panel = code.getByRole('tabpanel')
  expect(await panel.textContent()).toContain("platen print 'letter.pdf' -d 'Test A4 Laser'")
  await code.getByRole('tab', { name: 'curl' }).click()
  await panel.getByText('Authorization: Bearer $PLATEN_KEY').waitFor()
  expect(await panel.textContent()).toContain(`-F 'file=@"letter.pdf"'`)
  for (const [language, text] of [
    ['TypeScript', 'path: "letter.pdf"'],
    ['Python', 'file="letter.pdf"'],
  ] as const) {
    await code.getByRole('tab', { name: language }).click()
    await panel.getByText(text).waitFor()
    expect(((await panel.locator('pre').first().textContent()) ?? '').split('\n').length).toBeLessThan(8)
  }
  // The packages are built after the start of the installation.
  await code.getByRole('tab', { name: 'Python' }).click()
  await code.getByText(`pip install ${BASE_URL}/clients/platen_print-`).waitFor({ timeout: 60_000 })
  await code.getByRole('button', { name: 'Create a test key' }).click()
  const shown = await code.locator('pre', { hasText: 'PLATEN_KEY=' }).textContent()
  const [, key = ''] = /PLATEN_KEY=(\S+)/.exec(shown ?? '') ?? []
  const { status } = await fetch(`${installation.credentials.baseUrl}/v1/printers`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(status).toBe(200)
  await page.getByRole('button', { name: 'Make it fail' }).click()
  await page.getByRole('button', { name: '[fail] fails' }).click()
  await page.locator('ol[data-state=error]').waitFor()
  await page.getByRole('link', { name: 'Print on paper: add a computer' }).click()
  await page.waitForURL(`${BASE_URL}/app/live/computers/new`)
})

browserTest('the preview shows the sheets as they come out, and the job is created as shown', async () => {
  const { page, organization, open } = await visit()
  await open('/print', 'test')
  const text = (number: number) => `BT /F1 90 Tf 72 400 Td (Page ${number}) Tj ET`
  await choose(page, 'five.pdf', makePages([1, 2, 3, 4, 5].map(text)))
  await page.getByRole('combobox', { name: 'Printer' }).selectOption({ label: 'Test A4 Laser (online)' })
  await page.locator('[data-sheets="5"]').waitFor()
  await page.getByText('Options:').click()
  await page.getByRole('combobox', { name: 'Paper', exact: true }).selectOption('A5')
  await page.getByLabel('Sides').selectOption('both, long edge')
  await page.getByLabel('Copies', { exact: true }).fill('2')
  await page.getByText('5 pages, 3 sheets × 2 copies = 6 sheets, both sides').waitFor()
  await page.locator('canvas[data-drawn=true]').nth(1).waitFor()
  expect(await countDrawn(page)).toBeGreaterThan(1_000)
  const size = await page
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => canvas.height / canvas.width)
  expect(size).toBeCloseTo(2100 / 1480, 2)
  await page.getByRole('combobox', { name: 'Color', exact: true }).selectOption('gray')
  expect(await page.locator('canvas').first().getAttribute('class')).toContain('grayscale')
  await page.getByRole('button', { name: 'Print (test)' }).click()
  await page.waitForURL(/jobs\//)
  const { body } = await organization.testApi.get('/v1/printjobs')
  expect(body.data[0]).toMatchObject({
    title: 'five.pdf',
    contentType: 'pdf_base64',
    source: 'dashboard',
    options: { paper: 'A5', duplex: 'long-edge', copies: 2, color: false },
  })
})

browserTest('the preview draws pages where CUPS prints them', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const printerId = await findTestPrinter(testApi)
  // `tables/sheets.test.ts` has the places of all cases. Boxes, units and rotations depend on the drawing.
  const isDrawn = /unit|Rotate.*fit_to_page|"nup":4,"rotate"|cropped.*{}/
  for (const [title, one] of [...SHEET_CASES].filter(([title]) => isDrawn.test(title))) {
    const content = buildDocument(one).toString('base64')
    const job = await testApi.createJob(newJob(printerId, { content, options: { ...one.options, paper: one.paper } }))
    await open(`/jobs/${job.id}`, 'test')
    await page.getByRole('button', { name: 'Show the document' }).click()
    await page.locator('canvas[data-drawn=true]').first().waitFor()
    expect([await readFirstSide(page)], title).toEqual((expectPrinted(title) as unknown[]).slice(0, 1))
  }
})

browserTest('a job shows which options were ignored, and is printed again with other options', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const options = { color: true, copies: 2 }
  const job = await testApi.createJob(newJob(await findTestPrinter(testApi), { options }))
  await testApi.waitUntilFinal(job.id)
  await open(`/jobs/${job.id}`, 'test')
  await page.getByRole('button', { name: 'Show the document' }).click()
  await page.getByText('1 page, 1 sheet × 2 copies = 2 sheets').waitFor()
  await expect.poll(() => page.locator('s').allTextContents()).toEqual(['color true'])
  await page.getByRole('link', { name: 'Print with other options' }).click()
  await page.getByText('Options:').click()
  await page.getByLabel('Copies', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Print (test)' }).click()
  await page.waitForURL((url) => /\/jobs\/.+/.test(url.pathname) && !url.pathname.endsWith(job.id))
  const { body } = await testApi.get('/v1/printjobs')
  expect(body.data).toHaveLength(2)
  expect(body.data[0]).toMatchObject({ title: job.title, fileSha256: job.fileSha256, options: { copies: 3 } })
})

browserTest('a PDF without end leaves the page responsive, and its workers end', async () => {
  const { page, open } = await visit()
  const policies: Record<string, string> = {}
  page.on('response', async (response) => {
    const [, kind] = /(pdf\.worker|pdf-preview)/.exec(response.url()) ?? []
    if (kind) policies[kind] = (await response.allHeaders())['content-security-policy'] ?? ''
  })
  await open('/print', 'test')
  await startWatch(page)
  await choose(page, 'endless.pdf', makeEndlessPdf())
  await expect.poll(() => page.workers().length).toBe(2)
  await page.getByText(/needs more than 10 s/).waitFor()
  await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0)
  const gap = await longestGap(page)
  console.log(`longest pause with a PDF without end: ${gap} ms`)
  expect(gap).toBeLessThan(1_000)
  await page.getByRole('tab', { name: 'Text' }).click()
  await page.getByText('%PDF-1.7').waitFor()
  expect(policies['pdf.worker']).toContain("'wasm-unsafe-eval'")
  expect(policies['pdf-preview']).not.toContain('eval')
})

browserTest('a label is shown as it is printed, with what the picture does not show', async () => {
  const { page, open } = await visit()
  await open('/print', 'test')
  await choose(page, 'label.zpl', Buffer.from('^XA^PW400^LL240^FO20,20^A0N,40,40^FDBolts M8^FS^QQ^XZ'))
  const picture = page.getByRole('img', { name: 'Page 1 of 1, 50 × 30 mm' })
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  await page.getByText('Unknown command "^QQ".').waitFor()
})

/** The dots that the agent draws for the virtual label printer, without a paper. */
async function drawLabels(document: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-labels-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, output] = [join(folder, 'page.pdf'), join(folder, 'label.zpl')]
  await writeFile(file, document)
  await drawPdf(file, output, { printer: { rawLanguage: 'zpl', dpi: 203, width: 812 }, placement: {} })
  return readZpl(await readFile(output))
}

/** One byte for each dot, 1 is black. Fails on a pixel that is neither black nor white. */
async function readDots(page: Page) {
  const canvas = page.locator('canvas[data-drawn=true]')
  await canvas.waitFor()
  const { bytes, ...size } = await canvas.evaluate((drawn: HTMLCanvasElement) => {
    const { data, width, height } = (drawn.getContext('2d') as CanvasRenderingContext2D).getImageData(
      ...([0, 0, drawn.width, drawn.height] as const),
    )
    const values = Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] as number)
    return { width, height, bytes: (values as unknown as { toBase64(): string }).toBase64() }
  })
  const pixels = Buffer.from(bytes, 'base64')
  expect(pixels.every((value) => value === 0 || value === 255)).toBe(true)
  return { ...size, dots: pixels.map((value) => (value === 0 ? 1 : 0)) }
}

browserTest('a PDF for a label printer is shown in the dots that its computer draws', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const content =
    '0 g 20 220 90 40 re f 0.5 g 30 30 120 120 re f 0.2 w 200 30 60 60 re S 3 w 130 200 m 150 280 230 160 260 260 c S'
  // The second page is turned, and the third one is scaled to the width of the printer.
  const sizes = { upright: [288, 432], landscape: [432, 288], large: [595, 842] } as const
  const document = buildPages(Object.values(sizes).map(([width, height]) => ({ width, height, content })))
  const labels = await drawLabels(document)
  const { body } = await testApi.get('/v1/printers')
  const { id: printerId } = body.data.find(({ name }: { name: string }) => name === 'Test Label 4x6')
  const job = await testApi.createJob(newJob(printerId, { content: document.toString('base64') }))
  await open(`/jobs/${job.id}`, 'test')
  await page.getByRole('button', { name: 'Show the document' }).click()
  await page.getByText('black dots, 203 per inch').waitFor()
  for (const [index, name] of Object.keys(sizes).entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Next sheet' }).click()
    await page.getByRole('img', { name: `Sheet ${index + 1}: page ${index + 1}` }).waitFor()
    const { width, height, dots } = await readDots(page)
    const label = labels[index]
    expect([width, height], name).toEqual([label?.width, label?.length])
    // Curves are drawn by another library.
    const different = dots.filter((dot, at) => label?.dots.isBlack(at % width, Math.floor(at / width)) !== (dot === 1))
    expect(different.length / dots.length, name).toBeLessThan(0.001)
    expect(dots.filter((dot) => dot === 1).length / dots.length, name).toBeGreaterThan(0.02)
  }
})

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

browserTest('a PNG is shown as the image that it is, and a damaged one is said to be', async () => {
  const { page, open } = await visit()
  await open('/print', 'test')
  const png = Buffer.from(PIXEL, 'base64')
  await choose(page, 'logo.png', png)
  const image = page.getByRole('img', { name: 'The document' })
  await expect
    .poll(() => image.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]))
    .toEqual([1, 1])
  await page.getByRole('button', { name: 'Change' }).click()
  await choose(page, 'logo.png', png.subarray(0, 30))
  await page.getByText('The image is damaged.').waitFor()
})

browserTest('a file that is no document of a printer is printed on request only', async () => {
  const { page, open } = await visit()
  await open('/start', 'test')
  const word = Buffer.from(`PK\x03\x04${'\0'.repeat(26)}word/document.xml`, 'latin1')
  await choose(page, 'notes.docx', word)
  await page.getByText('This is a Word document. Save it as PDF.').waitFor()
  expect(await page.getByRole('region', { name: 'Your print job' }).count()).toBe(0)
  await open('/print', 'test')
  await choose(page, 'notes.docx', word)
  await page.getByText('This is a Word document. Save it as PDF, or print its bytes unchanged.').waitFor()
  const print = page.getByRole('button', { name: 'Print (test)' })
  expect(await print.isDisabled()).toBe(true)
  await page.getByLabel('Print it anyway').check()
  await expect.poll(() => print.isEnabled()).toBe(true)
})

browserTest('raw data of 25 MB opens as text and hexadecimal without blocking', async () => {
  const { page, open } = await visit()
  await open('/print', 'test')
  const data = Buffer.alloc(LARGEST, '^FO50,50^ADN,36,20^FDHello^FS\n')
  data.write('^XA')
  data.write('needle', LARGEST - 100)
  const directory = await mkdtemp(join(tmpdir(), 'platen-preview-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'label.zpl')
  await writeFile(file, data)
  await startWatch(page)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Documents of more than 1 MB have no picture.').waitFor()
  await page.getByRole('tab', { name: 'Text' }).click()
  await page.getByText('^XA50,50').waitFor()
  await page.getByRole('tab', { name: 'Hex' }).click()
  await page.getByText('5e 58 41 35').waitFor()
  await page.getByText('MB 1 of 27').waitFor()
  await page.getByLabel('Search for bytes').fill('6e 65 65 64 6c 65')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByText('MB 27 of 27').waitFor()
  await page.getByText(/6e 65 65 64/).waitFor()
  const gap = await longestGap(page)
  console.log(`longest pause with 25 MB of raw data: ${gap} ms`)
  expect(gap).toBeLessThan(1_000)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500)
})

browserTest('documents of test mode are for all roles, those of live mode for owners and admins', async () => {
  const owner = await visit()
  const { organization } = owner
  const { printerId, agent } = await organization.connectAgent()
  agent.close()
  const { body: live } = await organization.api.post('/v1/printjobs', newJob(printerId))
  const { body: test } = await organization.testApi.post(
    '/v1/printjobs',
    newJob(await findTestPrinter(organization.testApi)),
  )
  const member = await visit({ role: 'member', organization })
  member.expectError(/status of 403/)
  const show = (page: Page) => page.getByRole('button', { name: 'Show the document' })

  await member.open(`/jobs/${test.id}`, 'test')
  await show(member.page).click()
  await member.page.locator('canvas[data-drawn=true]').waitFor()

  await member.open(`/jobs/${live.id}`)
  await show(member.page).waitFor()
  expect(await show(member.page).getAttribute('title')).toBe('Only owners and admins can read documents of live mode.')
  const status = await member.page.evaluate(
    async (path) => (await fetch(path, { headers: { 'platen-mode': 'live' } })).status,
    `/v1/printjobs/${live.id}/document`,
  )
  expect(status).toBe(403)

  await owner.open(`/jobs/${live.id}`)
  await show(owner.page).click()
  await owner.page.locator('canvas[data-drawn=true]').waitFor()
})
