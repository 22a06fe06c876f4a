import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  RawNode,
  type UnknownRow,
} from 'kysely'

/**
 * Gives columns on Postgres the meaning that they have on SQLite, whatever the migration calls them: text is ordered by
 * its bytes and not by a country's rules, which pages and indexes rely on, and an integer holds 64 bits.
 */
export const postgresColumns: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }: { result: { rows: UnknownRow[] } }) => result,
}

class ColumnTransformer extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    const definition = super.transformColumnDefinition(node)
    const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : null
    if (type === 'text') return { ...definition, dataType: RawNode.createWithSql('text collate "C"') }
    if (type === 'integer') return { ...definition, dataType: DataTypeNode.create('bigint') }
    return definition
  }
}

const transformer = new ColumnTransformer()
