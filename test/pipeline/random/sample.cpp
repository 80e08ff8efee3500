// Made by generate.py: random pipelines, as literals and at run time.

#include "random_passes.hpp"

TEST_CASE("pipeline: random texts mean the same as literals and at run time, seed 1", "[pipeline][random]") {
    using random_pipelines::check;
    check<"V", 1>({.level = 1, .disabled = {"V"}, .required = {}, .refused = ""});
    check<
        "seq(repeat(U, only_if[short](V,V), repeat{times=0}(A,U))), part(fixpoint{limit=0}(only_if[short](PC,PC,PT), twice{again=False}(PB), only_if[short](PT))), part(seq(seq(PT, PD),resolved()))",
        -1>({.level = 4, .disabled = {"U"}, .required = {}, .refused = ""});
    check<"part(),N{by_name.words=3,nn.conv2d = -1,numbers =[2,4,2],c = 4},repeat{times=3}(O{count=2})", -1>(
        {.level = 3, .disabled = {"O"}, .required = {"N"}, .refused = ""});
    check<"C,C", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"T", -1>({.level = 2, .disabled = {"T"}, .required = {}, .refused = ""});
    check<"C", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"part(T,\nrepeat{times=3}(seq(T))),\nO{flag= True,\"colour\" =\"light one\"}", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](only_if[short](T,O{narrow= inf,colour=2,count= 6}),part(PA,T))", -1>(
        {.level = 1, .disabled = {}, .required = {"T"}, .refused = "PA"});
    check<"E,O{flag=False,narrow=-2.5,wide =-0}", -1>({.level = 4, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"seq(seq(D))", -1>({.level = 3, .disabled = {"sequential"}, .required = {"D"}, .refused = ""});
    check<"only_if[short](twice{again=False}(A,A,A),fixpoint{limit=2}(U,B))", -1>(
        {.level = 4, .disabled = {}, .required = {"B"}, .refused = ""});
    check<"D,D", -1>({.level = 0, .disabled = {}, .required = {}, .refused = "PD"});
    check<"seq(B,part(PB)),D", -1>({.level = 0, .disabled = {"B"}, .required = {"PB"}, .refused = "B"});
    check<"T,N{by_name.words=3},N{numbers\n=[8,-3],lists= [],by_name.words\n=3,c=\n4}", -1>(
        {.level = 4, .disabled = {"T"}, .required = {}, .refused = ""});
    check<"resolved[x]()", -1>({.level = 4, .disabled = {"x"}, .required = {"B"}, .refused = ""});
    check<
        "resolved(twice(resolved(N{words= [\"\",\"\"],c\n=4},\nO{flag= True,small = 65}),\nE)),part(piece(seq(QA),QA)),resolved(twice(),\nonly_if[short](V),\nseq(D))",
        -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved(O{narrow=\n1e10})", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"resolved[\"A\",4](N{by_name.a =9},U), repeat{times=1}(V,\nT)", -1>(
        {.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](part(only_if[short](T,PB,PD), piece(QD,QD)))", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"N{words\n=[\"b c\",\"\",a],by_name=5},\npart(PD,PB),\nseq[A,2](C,O{count\n=5})", -1>(
        {.level = 1, .disabled = {}, .required = {"A"}, .refused = ""});
    check<
        "seq[\"say \\\"so\\\"\",4](V, part(PT)), part(PD,resolved(PB,\nPO{word=\"some word\",narrow=\n1e10,small=-69,count\n=\n5},\nPA)), U",
        0>({.level = 0, .disabled = {}, .required = {"PA"}, .refused = ""});
    check<"part(T,PB,PD)", -1>({.level = 1, .disabled = {}, .required = {"T"}, .refused = ""});
    check<"fixpoint{limit=3}(A),repeat{times=3}(N{by_name=\n[]}),fixpoint{limit=0}(A)", -1>(
        {.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"N{lists=\n[x]}", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(piece(QD), piece(QC,QA,QC)),B", -1>({.level = 3, .disabled = {}, .required = {"B"}, .refused = "QA"});
    check<"seq[x,3](fixpoint{limit=0}(E),C),U", -1>(
        {.level = 0, .disabled = {}, .required = {"sequential"}, .refused = "U"});
    check<
        "only_if[short](),resolved(part(PO{flag =True,count= 2},PA),\nN{lists.by_name=\n[],lists.lists=[\"b c\",a],words=[\"a\",a,\"]\"]})",
        -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"E,\nrepeat{times=0}(C)", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"E,\nO{count= 7,wide=inf,colour=\"dark\",word=True}", -1>(
        {.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"O{word = 10,colour=\"light one\",\"large\"\n=\n0},fixpoint{limit=2}(),part(piece(QC,QD),PT)", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(T,piece(QA))", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"seq(fixpoint(O{wide=.5,small=89})),C", -1>({.level = 1, .disabled = {}, .required = {"C"}, .refused = ""});
    check<"resolved(part(seq(PA,\nPC,\nT)),V)", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<
        "fixpoint{limit=2}(O{count\n=3,word=\n\"[\",large\n= 7},O{word\n=\n\"a\\\\b\",\"colour\"=\"dark\"}),fixpoint{limit=2}(E),D",
        -1>({.level = 1, .disabled = {}, .required = {}, .refused = "O"});
    check<"V,fixpoint{limit=0}(T,C)", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PT), repeat(E)", -1>({.level = 0, .disabled = {}, .required = {}, .refused = "V"});
    check<"fixpoint(N{lists=[x]}), T", -1>({.level = 1, .disabled = {}, .required = {"N"}, .refused = "T"});
    check<"E", -1>({.level = 0, .disabled = {"QC"}, .required = {}, .refused = "E"});
    check<"A", -1>({.level = 0, .disabled = {"A"}, .required = {}, .refused = ""});
    check<"part(only_if[short](PC), seq(PD)),A,E", -1>({.level = 1, .disabled = {}, .required = {"PC"}, .refused = ""});
    check<"part(PC), resolved[\"[1]\",1](E)", 3>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"part(piece(QA, QD, QA)),part(piece(QA))", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"O{word =a,wide=-INF}, N{lists.lists\n=[\"]\",\"]\",\"b c\"],lists.by_name=[\"\"]}", -1>(
        {.level = 0, .disabled = {}, .required = {"B"}, .refused = ""});
    check<"O{},\nonly_if[short](seq[part](part(PD),B))", -1>(
        {.level = 2, .disabled = {}, .required = {"part"}, .refused = ""});
    check<"resolved(resolved(part(T)),A)", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"part(),A", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"V", -1>({.level = 0, .disabled = {"V"}, .required = {}, .refused = ""});
    check<"A", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<
        "repeat{times=3}(), only_if[short](repeat{times=0}(N{by_name.a=9,lists.by_name =[],numbers=[-3],by_name.words = 3}))",
        -1>({.level = 3, .disabled = {}, .required = {"N"}, .refused = ""});
    check<"N,\nseq[sequential](seq(N{lists.by_name=[\"b c\",a,\"b c\"],by_name.words=3,c = 4})),\nT", -1>(
        {.level = 4, .disabled = {"sequential"}, .required = {"T"}, .refused = ""});
    check<"resolved(N{lists.lists =[a,\"\"]},O{word=\n\"some word\",narrow = 1,wide=\n1e5})", -1>(
        {.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"twice(repeat{times=0}(A,\nU,\nV), C, resolved(D))", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PD),O{}", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<
        "seq(part(fixpoint{limit=3}(PD)),seq(T, T)),seq(O{small=56,narrow =0.1,wide= 1e5},\nrepeat{times=1}(N{lists= [x]}))",
        -1>({.level = 0, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"O{large\n=0,count=9},T,E", -1>({.level = 2, .disabled = {}, .required = {"T"}, .refused = "QC"});
    check<"O{wide= 1e+2,count=4,word=\"a\\\\b\",small=-124}, V", -1>(
        {.level = 4, .disabled = {"O"}, .required = {}, .refused = ""});
    check<
        "resolved[\"a b\",4](B,\nD),resolved(O{small=\n93,colour =2,large=18446744073709551615},O{\"word\"= True,narrow =0.1,small= 4,wide= -INF})",
        -1>({.level = 3, .disabled = {}, .required = {"a b"}, .refused = ""});
    check<"part(repeat(PA,\nPC),PC),O,repeat(N{lists.lists=\n[\"b c\"],numbers=[-7,-3,4]},part(PB),U)", -1>(
        {.level = 1, .disabled = {}, .required = {"U"}, .refused = ""});
    check<"fixpoint(repeat{times=3}(O{narrow=16777216,large =9223372036854775808},U))", -1>(
        {.level = 0, .disabled = {"PD"}, .required = {}, .refused = ""});
    check<"seq[x](T),A", -1>({.level = 3, .disabled = {"x"}, .required = {}, .refused = "T"});
}
