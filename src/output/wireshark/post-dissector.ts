import { infoFields } from '../../wire/packet/packet-values.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import { isInt, type MessageField, type MessageFieldType } from '../../wire/protocol/message-type.ts';
import { protocolOf, type Schema, versions } from '../../wire/protocol/registry.ts';
import { wrap } from '../text/layout.ts';
import { schemaMark } from './comments.ts';

/** The kind of a field in Wireshark: a number (`i`) or a text (`s`). */
type LuaKind = 'i' | 's';

/**
 * A post-dissector in Lua, which turns the comments of an annotated capture into named fields. It decodes nothing
 * itself.
 */
export function renderPostDissector(schema?: Schema): string {
  const fields = new Map<string, LuaKind>();
  const add = (name: string, kind: LuaKind) => {
    // A field that is a text in one version is a text in all versions.
    if (fields.get(name) !== 's') fields.set(name, kind);
  };
  const protocols = versions.map((version) => protocolOf(version, schema));
  for (const { name, fields: own } of protocols.flatMap(({ items }) => items)) {
    add(`${name}.id`, 'i');
    for (const field of own) add(`${name}.${luaName(field.name)}`, kindOf(field.meaning));
  }
  for (const { name, fields: own } of versions.flatMap((version) => messagesOf(version, schema).all)) {
    for (const field of own) for (const [path, kind] of leavesOf(field)) add(`${name}.${luaName(path)}`, kind);
  }
  for (const [name, type] of infoFields) add(`server_info.${name}`, kindOf(type));
  const items = protocols.map((protocol) => {
    const lines = protocol.items.map(
      ({ name, fields: own }) => `    ["${name}"] = "${own.map((field) => luaName(field.name)).join(' ')}",`,
    );
    return [`  ["${protocol.version} · schema ${schemaMark(protocol)}"] = {`, ...lines, '  },'].join('\n');
  });
  const names = [...fields].map(([name, kind]) => `${name}:${kind}`);
  const lists = [wrap(names, lineLength), items].map((lines) => lines.join('\n'));
  return postDissectorCode.replace('@FIELDS@', () => lists[0]!).replace('@ITEMS@', () => lists[1]!);
}

/** Replaces the characters of a field's name that a display filter does not allow. */
const luaName = (name: string) => name.replace(/[^\w.]/g, '_');

const lineLength = 118;

const kindOf = (type: MessageFieldType): LuaKind => (isInt(type) ? 'i' : 's');

type Leaf = readonly [path: string, kind: LuaKind];

/** The values of a field of a message, without the indexes of lists: `projectile.x`, `skin_part_names.body`. */
const leavesOf = ({ name, type }: MessageField): Leaf[] => below(name, leavesOfType(type));

function leavesOfType(type: MessageFieldType): Leaf[] {
  if (type.kind === 'record') return type.fields.flatMap(leavesOf);
  if (type.kind !== 'repeat' && type.kind !== 'list') return [['', kindOf(type)]];
  const inner = leavesOfType(type.of);
  return [...inner, ...(type.labels ?? []).flatMap((label) => below(label, inner))];
}

const below = (name: string, leaves: readonly Leaf[]): Leaf[] =>
  leaves.map(([path, kind]) => [path === '' ? name : `${name}.${path}`, kind]);

/**
 * The program of the post-dissector, for Lua 5.2 to 5.4 as in Wireshark 4.0 and newer. `@FIELDS@` and `@ITEMS@` are
 * placeholders for the schema. docs/captures.md describes the comments that the program reads.
 */
const postDissectorCode = String.raw`-- Named fields for Wireshark from the comments of tw-snap annotate. Written by: tw-snap annotate --lua
local twsnap = Proto("twsnap", "Teeworlds, read by tw-snap")
local comments_of_frame = Field.new("frame.comment")

local own = {
  tick = ProtoField.int32("twsnap.tick", "Tick"),
  base = ProtoField.int32("twsnap.base", "Base tick, -1 for the empty snapshot"),
  crc = ProtoField.int32("twsnap.crc", "Checksum, rebuilt"),
  expected = ProtoField.int32("twsnap.expected", "Checksum, announced"),
  verdict = ProtoField.string("twsnap.verdict", "Verdict"),
  change = ProtoField.string("twsnap.change", "Change"),
  item = ProtoField.string("twsnap.item", "Item"),
  message = ProtoField.string("twsnap.message", "Message"),
  control = ProtoField.string("twsnap.control", "Control packet"),
  connection = ProtoField.uint32("twsnap.connection", "Connection"),
  client = ProtoField.string("twsnap.client", "Client"),
  version = ProtoField.string("twsnap.version", "Version"),
  direction = ProtoField.string("twsnap.direction", "Direction"),
  part_of = ProtoField.int32("twsnap.part_of", "Part of the snapshot of tick"),
  completed_in = ProtoField.framenum("twsnap.completed_in", "Completed in frame"),
  finding = ProtoField.string("twsnap.finding", "Finding"),
  cut = ProtoField.bool("twsnap.cut", "Not everything has room in the comments"),
}

-- The fields of items and messages: i is a number, s a text.
local names = [[
@FIELDS@
]]

-- The fields of each item, in the order of its values.
local orders = {
@ITEMS@
}

local fields, is_number, all = {}, {}, {}
for _, field in pairs(own) do all[#all + 1] = field end
for name, kind in names:gmatch("([%w_.]+):(%a)") do
  is_number[name] = kind == "i"
  local make = is_number[name] and ProtoField.int32 or ProtoField.string
  fields[name] = make("twsnap." .. name, name:match("%.(.*)"))
  all[#all + 1] = fields[name]
end
twsnap.fields = all

for _, items in pairs(orders) do
  for item, order in pairs(items) do
    local list = {}
    for field in order:gmatch("%S+") do list[#list + 1] = item .. "." .. field end
    items[item] = list
  end
end

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- The text between the quotes of JSON. Characters beyond ASCII that it escapes are invisible: they remain escaped.
local function unescaped(text)
  return (text:gsub("\\(.)(%x?%x?%x?%x?)", function(char, digits)
    if char ~= "u" then return (escapes[char] or char) .. digits end
    local code = tonumber(digits, 16)
    return code < 0x80 and string.char(code) or "\\u" .. digits
  end))
end

-- A value at a position, and the position after it: 5, "text", 0x0a0b, (900 bytes).
local function value_at(line, at)
  local char = line:sub(at, at)
  if char == "(" then return line:match("^(%b())()", at) end
  if char ~= '"' then return line:match("^([^ ,%]]+)()", at) end
  local from = at + 1
  while true do
    local found = line:find('["\\]', from)
    if not found then return nil end
    if line:sub(found, found) == '"' then return unescaped(line:sub(at + 1, found - 1)), found + 1 end
    from = found + 2
  end
end

local function add_field(tree, name, value)
  if not fields[name] then return end
  if is_number[name] then value = tonumber(value) end
  if value then tree:add(fields[name], value) end
end

-- obj_character/0 1243 784 "text" [1 2 3] + 7
local function add_item(tree, line, order)
  local item, id, at = line:match("^([^/ ]+)/(%d+)()")
  if not item then return end
  local node = tree:add(own.item, item .. "/" .. id)
  local list = order[item]
  if not list then return end
  add_field(node, item .. ".id", id)
  local index, depth, size = 1, 0, #line
  while at <= size do
    local char = line:sub(at, at)
    if char == "+" or not list[index] then return end
    if char == " " or char == "[" then
      if char == "[" then depth = depth + 1 end
      at = at + 1
    elseif char == "]" then
      depth = depth - 1
      at = at + 1
      if depth == 0 then index = index + 1 end
    else
      local value, after = value_at(line, at)
      if not value then return end
      add_field(node, list[index], value)
      at = after
      if depth == 0 then index = index + 1 end
    end
  end
end

-- Whether anything asks for the fields of an item: most filters name few.
local function is_wanted(tree, item, list)
  if tree.visible or not tree.referenced or tree:referenced(own.item) then return true end
  if tree:referenced(fields[item .. ".id"]) then return true end
  for _, name in ipairs(list) do
    if tree:referenced(fields[name]) then return true end
  end
  return false
end

local function add_values(tree, text)
  local order, wanted
  for line in text:gmatch("[^\n]+") do
    local schema = line:match("^values of tick %-?%d+ · (.*)$")
    if schema then
      order, wanted = orders[schema], {}
      if not order then tree:add(own.finding, "annotated with another schema: " .. schema) end
    elseif line:sub(1, 3) == "…" then
      tree:add(own.cut, true)
    elseif order then
      local item = line:match("^[^/ ]+")
      if wanted[item] == nil then wanted[item] = not order[item] or is_wanted(tree, item, order[item]) end
      if wanted[item] then add_item(tree, line, order) end
    end
  end
end

local function add_snapshot(tree, line)
  local tick, base = line:match("^tick (%-?%d+) on (%-?%d*)")
  tree:add(own.tick, tonumber(tick))
  tree:add(own.base, tonumber(base) or -1)
  local ok = line:match("· crc ok (%-?%d+)")
  local announced, rebuilt = line:match("· crc mismatch: announced (%-?%d+), rebuilt (%-?%d+)")
  local unannounced = line:match("· crc (%-?%d+), none announced")
  local loss = line:match("· not rebuilt: (.*)$")
  local crc, expected = tonumber(ok or rebuilt or unannounced), tonumber(ok or announced)
  if crc then tree:add(own.crc, crc) end
  if expected then tree:add(own.expected, expected) end
  tree:add(own.verdict, ok and "ok" or rebuilt and "mismatch" or loss or "unchecked")
end

-- sv_chat (again): team 0, client_id 1, message "hello"
local function add_message(tree, line)
  local name, at = line:match("^([%w_-]+)()")
  if not name then return end
  local node = tree:add(own.message, name)
  at = line:match("^[^:]*: ()", at)
  while at do
    local path, from = line:match("^(%S+) ()", at)
    if not path then return end
    path = path:gsub("%[%d+%]", ""):gsub("%[([^%]]*)%]", ".%1"):gsub("[^%w_.]", "_")
    local value, after = value_at(line, from)
    if not value then return end
    add_field(node, name .. "." .. path, value)
    at = line:match("^, ()", after)
  end
end

-- A message is only its name, or a name before ":" or " (again)": no name can make it look like another line.
local function add_line(tree, line)
  if line:find("^tick %-?%d") then add_snapshot(tree, line)
  elseif line:find("^part %d+ of %d+ of tick ") or line:find("^snapshot of tick ") then
    local frame = line:match("completed in frame (%d+)")
    tree:add(own.part_of, tonumber(line:match("of tick (%-?%d+)")))
    if frame then tree:add(own.completed_in, tonumber(frame)) end
  elseif line:find("^control %w") then tree:add(own.control, line:match("^control ([%w_]+)"))
  elseif line:find("^connection %d+ of ") then
    local number, client, version, direction = line:match("^connection (%d+) of (%S+) · (%S+) · (%S+)")
    if not number then return end
    tree:add(own.connection, tonumber(number))
    tree:add(own.client, client)
    tree:add(own.version, version)
    tree:add(own.direction, direction)
  elseif line:find("^! ") or line:find("^✗ ") then tree:add(own.finding, line)
  elseif line:find("^… ") then tree:add(own.cut, true)
  elseif line:find("^[+-] ") or line:find("^[^ :]+/%d") then tree:add(own.change, line)
  elseif line ~= "no messages" then add_message(tree, line)
  end
end

function twsnap.dissector(_, pinfo, root)
  local texts = {}
  for _, comment in ipairs({ comments_of_frame() }) do texts[#texts + 1] = comment.value end
  local tree
  for i, text in ipairs(texts) do
    -- Some versions of Wireshark give the first line of a comment as well.
    local is_start = false
    for k, other in ipairs(texts) do
      if k ~= i and #other > #text and other:sub(1, #text + 1) == text .. "\n" then is_start = true end
    end
    if not is_start and text:find("\nconnection %d+ of [^\n]+$") then
      tree = tree or root:add(twsnap)
      local first = text:match("^[^\n]+")
      tree:append_text(": " .. first)
      pinfo.cols.protocol = "Teeworlds"
      pinfo.cols.info = first
      for line in text:gmatch("[^\n]+") do add_line(tree, line) end
    elseif not is_start and text:find("^connectionless ") then
      tree = tree or root:add(twsnap)
      pinfo.cols.protocol = "Teeworlds"
      pinfo.cols.info = text:match("^[^\n]+")
      add_line(tree, text:match("\n([^\n]+)") or "no messages")
    elseif not is_start and text:find("^values of tick ") then
      tree = tree or root:add(twsnap)
      add_values(tree, text)
    end
  end
end

register_postdissector(twsnap)
`;
