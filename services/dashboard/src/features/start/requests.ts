/** A request as code of other languages. The command of `toCurl` sends the same one. */

interface ShownRequest {
  url: string
  method: string
  body: string
}

export function toTypeScript(request: ShownRequest): string {
  return `const response = await fetch('${request.url}', {
  method: '${request.method}',
  headers: {
    Authorization: \`Bearer \${process.env.PLATEN_KEY}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify(${indent(toObject(request.body), '  ')}),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
}

export function toPython(request: ShownRequest): string {
  return `import json, os, urllib.request, uuid

request = urllib.request.Request(
    "${request.url}",
    method="${request.method}",
    headers={
        "Authorization": "Bearer " + os.environ["PLATEN_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
    data=json.dumps(${indent(toObject(request.body), '    ')}).encode(),
)
print(json.load(urllib.request.urlopen(request)))`
}

/** JSON of texts and numbers is valid in both languages. */
const toObject = (body: string) => JSON.stringify(JSON.parse(body), null, 2)

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)
