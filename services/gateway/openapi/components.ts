/** Schemas with their descriptions and examples, as `components.schemas` of the document. */
import { EXAMPLES, OTHER_FORMS } from './examples.ts'
import { FIELDS } from './fields.ts'
import { type JsonSchema, toComponents } from './json-schema.ts'
import { SCHEMAS } from './schemas.ts'

export function schemaComponents(): Record<string, JsonSchema> {
  const components = toComponents(SCHEMAS)
  for (const [name, schema] of Object.entries(components)) {
    const fields = FIELDS[name]
    if (fields) {
      schema.description ??= fields['']
      describeFields(schema, fields)
    }
    schema.examples = [EXAMPLES[name], ...Object.values(OTHER_FORMS[name] ?? {})]
  }
  return components
}

/** @param fields by path; what a schema says itself stays. */
function describeFields(schema: JsonSchema, fields: Record<string, string>, path = ''): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`
    if (fields[at] !== undefined) property.description ??= fields[at]
    describeFields(property, fields, at)
  }
  // The entries of a list and the forms that a value may have are at the same path.
  for (const inner of innerSchemas(schema)) describeFields(inner, fields, path)
}

function innerSchemas({ items, anyOf, oneOf, allOf }: JsonSchema): JsonSchema[] {
  return [items, anyOf, oneOf, allOf].flat().filter((one): one is JsonSchema => typeof one === 'object' && one !== null)
}
