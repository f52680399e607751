/** The part of Windows that makes a printer's data of pages: gdi32, through koffi. Nothing but the calls. */
import type { structures } from './structures.ts'
import { type Winspool, WinspoolError } from './winspool.ts'
import type { Call, ForeignType, Handle, Koffi } from './winspool-koffi.ts'

/** Of wingdi.h, for GetDeviceCaps. */
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
/** Means tones by mixing dots, where a picture is scaled. */
const HALFTONE = 4

export function pagedDocuments(
  koffi: Koffi,
  { DOCINFOW }: ReturnType<typeof structures>,
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
    const cap = async (index: number) => (await call.any(GetDeviceCaps, dc, index)).result
    return {
      dpiX: await cap(CAPS.LOGPIXELSX),
      dpiY: await cap(CAPS.LOGPIXELSY),
      printable: { width: await cap(CAPS.HORZRES), height: await cap(CAPS.VERTRES) },
      physical: { width: await cap(CAPS.PHYSICALWIDTH), height: await cap(CAPS.PHYSICALHEIGHT) },
      offset: { x: await cap(CAPS.PHYSICALOFFSETX), y: await cap(CAPS.PHYSICALOFFSETY) },
    }
  }

  return async (printerName, { name, devmode }) => {
    const { result: dc, error } = await call.any(CreateDCW, 'WINSPOOL', printerName, null, devmode)
    if (dc === 0) throw new WinspoolError('CreateDCW', error)
    const close = () => call.any(DeleteDC, dc)
    const sheet = await readSheet(dc)
    const info = { cbSize: koffi.sizeof(DOCINFOW), lpszDocName: name, lpszOutput: null, lpszDatatype: null, fwType: 0 }
    const { result: jobId, error: refusal } = await call.any(StartDocW, dc, info)
    if (jobId <= 0) {
      await close()
      throw new WinspoolError('StartDocW', refusal)
    }
    return {
      jobId,
      sheet,
      startPage: () => call.mustBe('StartPage', StartPage, dc),
      endPage: () => call.mustBe('EndPage', EndPage, dc),

      async paint({ x, y, width, height }, bitmap) {
        // A page forgets it.
        await call.any(SetStretchBltMode, dc, HALFTONE)
        const source = [0, 0, bitmap.width, bitmap.height]
        const pixels = [bitmap.rows, bitmap.info, DIB_RGB_COLORS, SRCCOPY]
        await call.mustBe('StretchDIBits', StretchDIBits, dc, x, y, width, height, ...source, ...pixels)
      },

      async end() {
        await call.mustBe('EndDoc', EndDoc, dc)
        await close()
      },

      async abort() {
        await call.any(AbortDoc, dc)
        await close()
      },
    }
  }
}
