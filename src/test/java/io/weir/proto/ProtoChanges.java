package io.weir.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What changed in proto files that others cannot follow: a message moved or gone, a field or an
 * enum's value gone or with another number, name, type or label, another package. What was added is
 * no such change.
 */
final class ProtoChanges {
  private final List<String> found = new ArrayList<>();

  private ProtoChanges() {}

  /** A line for each; empty where whoever knows the one understands the other. */
  static List<String> breaking(FileDescriptorSet before, FileDescriptorSet after) {
    ProtoChanges changes = new ProtoChanges();
    for (FileDescriptorProto file : before.getFileList()) {
      FileDescriptorProto now =
          changes.named(file.getName(), after.getFileList(), FileDescriptorProto::getName);
      if (now != null) {
        changes.file(file, now);
      }
    }
    return changes.found;
  }

  private <T> T named(String name, List<T> all, Function<T, String> nameOf) {
    for (T one : all) {
      if (nameOf.apply(one).equals(name)) {
        return one;
      }
    }
    found.add(name + " is gone");
    return null;
  }

  private void same(String what, Object before, Object now) {
    if (!before.equals(now)) {
      found.add(what + " was " + before + " and is " + now);
    }
  }

  private void file(FileDescriptorProto before, FileDescriptorProto now) {
    same(before.getName() + ": package", before.getPackage(), now.getPackage());
    same(before.getName() + ": syntax", before.getSyntax(), now.getSyntax());
    same(before.getName() + ": options", before.getOptions(), now.getOptions());
    messages(before.getPackage(), before.getMessageTypeList(), now.getMessageTypeList());
    enums(before.getPackage(), before.getEnumTypeList(), now.getEnumTypeList());
  }

  /** Where a message is is part of every frame. */
  private void messages(String scope, List<DescriptorProto> before, List<DescriptorProto> now) {
    for (int i = 0; i < before.size(); i++) {
      String name = scope + "." + before.get(i).getName();
      String there = i < now.size() ? scope + "." + now.get(i).getName() : "nothing";
      same("message " + i + " of " + scope, name, there);
      if (name.equals(there)) {
        fields(name, before.get(i).getFieldList(), now.get(i).getFieldList());
        messages(name, before.get(i).getNestedTypeList(), now.get(i).getNestedTypeList());
        enums(name, before.get(i).getEnumTypeList(), now.get(i).getEnumTypeList());
      }
    }
  }

  private void fields(
      String message, List<FieldDescriptorProto> before, List<FieldDescriptorProto> now) {
    for (FieldDescriptorProto field : before) {
      FieldDescriptorProto same = named(field.getName(), now, FieldDescriptorProto::getName);
      if (same != null) {
        // Number, type, label, the type's name and options.
        same(message + "." + field.getName(), placeless(field), placeless(same));
      }
    }
  }

  /** The number of an optional field's own group shows only where it is declared. */
  private static FieldDescriptorProto placeless(FieldDescriptorProto field) {
    return field.getProto3Optional() ? field.toBuilder().clearOneofIndex().build() : field;
  }

  private void enums(
      String scope, List<EnumDescriptorProto> before, List<EnumDescriptorProto> now) {
    for (EnumDescriptorProto known : before) {
      EnumDescriptorProto same = named(known.getName(), now, EnumDescriptorProto::getName);
      if (same != null) {
        for (EnumValueDescriptorProto value : known.getValueList()) {
          EnumValueDescriptorProto found =
              named(value.getName(), same.getValueList(), EnumValueDescriptorProto::getName);
          if (found != null) {
            same(scope + "." + known.getName() + "." + value.getName(), value, found);
          }
        }
      }
    }
  }
}
