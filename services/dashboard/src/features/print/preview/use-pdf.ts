import { useEffect, useState } from 'react'
import { PdfDocument } from './pdf-document.ts'

export interface OpenPdf {
  pdf?: PdfDocument
  error?: unknown
}

/** Opened while the component is mounted. `attempt` changes to open it again after a failure. */
export function usePdf(bytes: Uint8Array, attempt: number): OpenPdf {
  const [state, setState] = useState<OpenPdf>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the same bytes
  useEffect(() => {
    let isCurrent = true
    setState({})
    const opening = PdfDocument.open(bytes)
    opening.then(
      (pdf) => (isCurrent ? setState({ pdf }) : undefined),
      (error) => (isCurrent ? setState({ error }) : undefined),
    )
    return () => {
      isCurrent = false
      void opening.then(
        (pdf) => pdf.close(),
        () => undefined,
      )
    }
  }, [bytes, attempt])
  return state
}
