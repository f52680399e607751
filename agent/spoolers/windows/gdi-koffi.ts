/** The calls of gdi32 through koffi. GDI converts pages to the data of a printer. */
import type { defineStructures } from './structures.ts'
import { type Winspool, WinspoolError } from './winspool.ts'
import type { Call, ForeignType, Handle, Koffi } from './winspool-koffi.ts'

/** The indexes of GetDeviceCaps in wingdi.h. */
const CAPS = {
  HORZRES: 8,
  VERTRES: 10,
  LOGPIXELSX: 88,
  LOGPIXELSY: 90,
  PHYSICALWIDTH: 110,
  PHYSICALHEIGHT: 111,
  PHYSICALOFFSETX: 112,
  PHYSICALOFFSETY: 113,
} as const

const DIB_RGB_COLORS = 0
const SRCCOPY = 0x00cc0020
/** Averages pixels of a scaled bitmap. */
const HALFTONE = 4

/** @returns the implementation of `startPages`. */
export function createStartPages(
  koffi: Koffi,
  { DOCINFOW }: ReturnType<typeof defineStructures>,
  call: Call,
): Winspool['startPages'] {
  const library = koffi.load('gdi32.dll')
  const foreign = (name: string, result: string, ...parameters: ForeignType[]) =>
    library.func('__stdcall', name, result, parameters)

  const CreateDCW = foreign('CreateDCW', 'uintptr', 'str16', 'str16', 'str16', 'void *')
  const DeleteDC = foreign('DeleteDC', 'int32', 'uintptr')
  const GetDeviceCaps = foreign('GetDeviceCaps', 'int32', 'uintptr', 'int32')
  const StartDocW = foreign('StartDocW', 'int32', 'uintptr', koffi.pointer(DOCINFOW))
  const StartPage = foreign('StartPage', 'int32', 'uintptr')
  const EndPage = foreign('EndPage', 'int32', 'uintptr')
  const EndDoc = foreign('EndDoc', 'int32', 'uintptr')
  const AbortDoc = foreign('AbortDoc', 'int32', 'uintptr')
  const SetStretchBltMode = foreign('SetStretchBltMode', 'int32', 'uintptr', 'int32')
  const int32 = 'int32'
  const StretchDIBits = foreign(
    'StretchDIBits',
    int32,
    'uintptr',
    int32,
    int32,
    int32,
    int32,
    int32,
    int32,
    int32,
    int32,
    'void *',
    'void *',
    'uint32',
    'uint32',
  )

  async function readSheet(dc: Handle) {
    const getCap = async (index: number) => (await call.run(GetDeviceCaps, dc, index)).result
    return {
      dpiX: await getCap(CAPS.LOGPIXELSX),
      dpiY: await getCap(CAPS.LOGPIXELSY),
      printable: { width: await getCap(CAPS.HORZRES), height: await getCap(CAPS.VERTRES) },
      physical: { width: await getCap(CAPS.PHYSICALWIDTH), height: await getCap(CAPS.PHYSICALHEIGHT) },
      offset: { x: await getCap(CAPS.PHYSICALOFFSETX), y: await getCap(CAPS.PHYSICALOFFSETY) },
    }
  }

  return async (printerName, { name, devmode }) => {
    const { result: dc, error } = await call.run(CreateDCW, 'WINSPOOL', printerName, null, devmode)
    if (dc === 0) throw new WinspoolError('CreateDCW', error)
    const deleteContext = () => call.run(DeleteDC, dc)
    const sheet = await readSheet(dc)
    const info = { cbSize: koffi.sizeof(DOCINFOW), lpszDocName: name, lpszOutput: null, lpszDatatype: null, fwType: 0 }
    const { result: jobId, error: refusal } = await call.run(StartDocW, dc, info)
    if (jobId <= 0) {
      await deleteContext()
      throw new WinspoolError('StartDocW', refusal)
    }
    return {
      jobId,
      sheet,
      startPage: () => call.runChecked('StartPage', StartPage, dc),
      endPage: () => call.runChecked('EndPage', EndPage, dc),

      async paint({ x, y, width, height }, bitmap) {
        // Each new page resets the mode.
        await call.run(SetStretchBltMode, dc, HALFTONE)
        const source = [0, 0, bitmap.width, bitmap.height]
        const pixels = [bitmap.rows, bitmap.info, DIB_RGB_COLORS, SRCCOPY]
        await call.runChecked('StretchDIBits', StretchDIBits, dc, x, y, width, height, ...source, ...pixels)
      },

      async end() {
        await call.runChecked('EndDoc', EndDoc, dc)
        await deleteContext()
      },

      async abort() {
        await call.run(AbortDoc, dc)
        await deleteContext()
      },
    }
  }
}
