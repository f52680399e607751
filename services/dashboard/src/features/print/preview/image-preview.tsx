import { useEffect, useMemo, useState } from 'react'

interface ImagePreviewProps {
  bytes: Uint8Array<ArrayBuffer>
  /** The type of an image that browsers draw. SVG is none, because it can have scripts. */
  type: string
}

/** An image as its file has it, without the place on the paper. */
export function ImagePreview({ bytes, type }: ImagePreviewProps) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type })), [bytes, type])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return <p className="text-sm text-error">The image is damaged. A job with it would fail.</p>
  return (
    <img
      src={url}
      alt="The document"
      className="max-h-[36rem] max-w-full rounded-md border bg-white object-contain"
      onError={() => setIsBroken(true)}
    />
  )
}
